// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of a substitution, as in a requirement of a concept. In a __host__ __device__ function clang defers an error
// about overloads with such candidates (-fgpu-defer-diag) before it tests whether the error is a substitution failure,
// and reports the error where the function's code is generated.
#pragma once

namespace clang {
class CompilerInstance;
class Sema;
}  // namespace clang

namespace cohort {

// Makes clang report errors of substitutions at once: they are substitution failures and have no message. Called after
// `compiler` has made its Sema.
void report_substitution_errors_at_once(clang::CompilerInstance& compiler, clang::Sema& sema);

}  // namespace cohort
