// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warnings of nvcc that clang lacks, found in the syntax tree of a whole translation unit.
#pragma once

namespace clang {
class ASTContext;
class CompilerInstance;
}  // namespace clang

namespace cohort {

class diagnostic_filter;

void check_source(clang::CompilerInstance& compiler, diagnostic_filter& filter);

// Constants that a conversion changes (68, 69, 173), division by a zero of floating point (39), and `if (a = 3)`
// (187).
void check_constants(clang::ASTContext& context, diagnostic_filter& filter);

// Calls of host functions in `__host__ __device__` functions (20011, 20013).
void check_host_calls(clang::ASTContext& context, diagnostic_filter& filter);

// Warnings that nvcc's options enable: launches without a stream (20198), kernels without launch bounds (20238), and
// `this` in an extended lambda without its name in the capture (20178).
void check_launches(clang::ASTContext& context, diagnostic_filter& filter);

// Functions that end after a `switch` over each value of an enumeration (940). For clang these cannot end there.
void check_missing_returns(clang::ASTContext& context, diagnostic_filter& filter);

// Statements without an effect (174). clang's warning of this kind covers `*p++;` and calls of pure functions as well.
void check_unused_expressions(clang::ASTContext& context, diagnostic_filter& filter);

// Variables and parameters that are assigned and never read (550): unlike clang's, nvcc's rule covers arrays and
// members. Also kernels of the main file with internal linkage that nothing uses (177).
void check_unused_values(clang::ASTContext& context, diagnostic_filter& filter);

}  // namespace cohort
