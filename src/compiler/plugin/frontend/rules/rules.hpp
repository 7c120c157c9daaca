// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of nvcc that clang lacks: a program that compiles here without a warning compiles for a GPU, too. All
// functions are for the device pass, which parses the code that `#ifdef __CUDA_ARCH__` selects.
#pragma once

namespace clang {
class ASTContext;
class CompilerInstance;
class Expr;
class FunctionDecl;
class GCCAsmStmt;
class LambdaExpr;
class VarDecl;
}  // namespace clang

namespace cohort {

class rule_report;

void check_rules(clang::CompilerInstance& compiler);

// Checks the qualifiers and the initialiser of a variable. `function`: the function that declares the variable, or
// nullptr.
void check_variable(const clang::VarDecl& variable, const clang::FunctionDecl* function, rule_report& report);
// Checks a `__shared__` variable, which nvcc and cohortcc never initialise.
void check_shared_variable(const clang::VarDecl& variable, rule_report& report);

// Checks kernels (signatures, sizes of parameters, types that they are instantiated with), `main`, and overloads that
// differ only in __host__ and __device__.
void check_function(const clang::FunctionDecl& function, rule_report& report);

// Reports the warning about a declaration whose words a repeated pass has completed (nvcc/spelling/redeclarations.hpp).
void check_redeclaration(const clang::FunctionDecl& declaration, rule_report& report);
// Reports functions whose declarations still differ in their words: a macro has written the name, or one is a kernel.
void check_redeclarations(clang::CompilerInstance& compiler, rule_report& report);

// Checks the sum of the sizes of the file's __constant__ variables.
void check_constant_memory(const clang::ASTContext& context, rule_report& report);
// Checks a write to `target`, which may be a __constant__ variable.
void check_write(const clang::Expr& target, const clang::FunctionDecl* function, rule_report& report);

// Checks that the operands of inline PTX have the types of their constraints.
void check_assembly(const clang::GCCAsmStmt& assembly, const clang::ASTContext& context, rule_report& report);

// True for the call operator of an extended lambda: a lambda with __device__ inside a host function.
bool is_extended(const clang::FunctionDecl& call_operator);

// Checks an extended lambda. `around`: the function that holds the lambda.
void check_extended_lambda(const clang::LambdaExpr& lambda, const clang::FunctionDecl& around, rule_report& report);

}  // namespace cohort
