// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class FunctionDecl;
}

namespace cohort {

struct execution_side {
  bool host = true;
  bool device = false;
};

// The side on which nvcc executes a function. Unlike in clang, a constexpr function is one of the host. A lambda
// without attributes is on the side of the enclosing function. nullptr: code outside of functions.
execution_side side_of(const clang::FunctionDecl* function);

}  // namespace cohort
