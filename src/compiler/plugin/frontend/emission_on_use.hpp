// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device pass emits a `__host__ __device__` function where device code uses it, as nvcc does, and not because other
// files could call it. Such a function may call host functions if no kernel reaches it.
#pragma once

#include "clang/AST/ASTMutationListener.h"

namespace cohort {

// For `declaration`, a definition. Must precede the body, since clang reports calls of host functions at once in a
// function that other files could call.
void emit_on_use(clang::Decl& declaration);

// Does the same with explicit instantiations, `template struct vec<float>;`.
class emitted_instantiations : public clang::ASTMutationListener {
 public:
  void InstantiationRequested(const clang::ValueDecl* declaration) override;
};

}  // namespace cohort
