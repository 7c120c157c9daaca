// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Decl;
}  // namespace clang

namespace cohort {

class rule_report;

// Refuses variables of `declaration`, also in a namespace, whose initialiser calls a function that exists on devices
// only. For the host pass. clang defers that error until it emits the calling function, and a variable has none: it
// leaves a hole in the initialiser, which stops or crashes the generation of code.
void check_host_initialisers(const clang::Decl& declaration, rule_report& report);

}  // namespace cohort
