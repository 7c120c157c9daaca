// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions and variables that clang parses and emits in each pass, where nvcc differs.
#pragma once

namespace clang {
class ASTContext;
class CompilerInstance;
class Decl;
class ValueDecl;
class VarDecl;
}  // namespace clang

namespace cohort {

// For `declaration`, a definition: the device pass emits a `__host__ __device__` function where device code uses it, as
// nvcc does, and not because other files could call it. Such a function may call host functions if no kernel reaches
// it. Must precede the body, since clang reports calls of host functions at once in a function that other files could
// call.
void emit_on_use(clang::Decl& declaration);

// Makes the device pass emit functions of an explicit instantiation, such as `template struct vec<float>;`, only where
// device code uses them. Called between the request and the instantiation.
void emit_instantiation_on_use(const clang::ValueDecl& declaration);

// clang emits each device variable that host code uses once more at the end of the translation unit. If the IR type of
// its initializer differs from that of the variable, as in `int a[9] = {1}`, clang 19 then deletes the first form and
// keeps a pointer to it. This call takes the variables that were emitted at their definition from clang's list.
void forget_emitted_variables(clang::ASTContext& context);

// Emits a variable of the device that no code uses. clang emits one with internal linkage, such as a const variable,
// only at a use.
void emit_variable(clang::ASTContext& context, const clang::VarDecl& variable);

// Makes a definition for an extern variable of the device, in both passes: its value is zero.
void define_extern_variable(clang::CompilerInstance& compiler, const clang::VarDecl& declared);

// True if the host pass need not parse the body of `declaration`: a function of a system header that only devices call.
bool is_body_unused_by_host(const clang::Decl& declaration, const clang::ASTContext& context);

// Keeps the host pass from instantiating templates in `declaration` that only devices call. nvcc's host pass does not,
// and such code may call overloads inside `#if __CUDA_ARCH__ >= 600`. Functions that only such code calls
// are not reported as unused.
void leave_templates_to_device(clang::Decl& declaration);

}  // namespace cohort
