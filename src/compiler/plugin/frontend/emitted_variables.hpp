// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps clang from emitting device variables twice.
#pragma once

namespace clang {
class ASTContext;
}

namespace cohort {

// clang emits each device variable that host code uses once more at the end of the translation unit. If the IR type of
// its initializer differs from that of the variable, as in `int a[9] = {1}`, clang 19 then deletes the first form and
// keeps a pointer to it. This call takes the variables that were emitted at their definition from clang's list.
void forget_emitted_variables(clang::ASTContext& context);

}  // namespace cohort
