// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Decl;
}  // namespace clang

namespace cohort {

class rule_report;

// For the host pass: refuses variables of `declaration`, also in a namespace, whose initialiser calls a function that
// only devices have. clang defers that error until it emits the calling function, and a variable has none: of the
// initialiser it leaves a hole, which stops or crashes the generation of code.
void check_host_initialisers(const clang::Decl& declaration, rule_report& report);

}  // namespace cohort
