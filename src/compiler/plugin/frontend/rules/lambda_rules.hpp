// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of nvcc for extended lambdas: those with __device__ inside host functions.
#pragma once

namespace clang {
class FunctionDecl;
class LambdaExpr;
}  // namespace clang

namespace cohort {

class rule_report;

// True for the call operator of a lambda that is written with __device__.
bool is_extended(const clang::FunctionDecl& call_operator);

// `around`: the function that holds the lambda.
void check_extended_lambda(const clang::LambdaExpr& lambda, const clang::FunctionDecl& around, rule_report& report);

}  // namespace cohort
