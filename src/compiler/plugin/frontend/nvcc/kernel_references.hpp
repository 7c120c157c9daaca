// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that launches kernels or takes their addresses. clang refuses it; in a __host__ __device__ function it
// only notes an error, which it reports where code of that function is generated. spelling/missing_words.hpp makes such
// a function of each reference, and the errors in these functions are removed before clang reports them.
#pragma once

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace cohort {

// True for the lambda around a reference to a kernel.
bool is_kernel_reference(const clang::FunctionDecl& function);

// Removes the errors about kernels that these lambdas refer to. Called before clang reports its deferred errors.
void allow_kernel_references(clang::Sema& sema);

}  // namespace cohort
