// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/leniency.hpp"
#include "frontend/nvcc/late_alignas.hpp"
#include "frontend/nvcc/ptx_constraints.hpp"
#include "frontend/nvcc/spelling.hpp"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/ParseDiagnostic.h"
#include "clang/Sema/SemaDiagnostic.h"

namespace cohort {
namespace {

// clang reports these and continues as nvcc does.
constexpr unsigned errors_that_nvcc_lacks[] = {
    // typename allocator_traits<A>::rebind_alloc<int>, without `template`; C++23 permits it
    clang::diag::err_missing_dependent_template_keyword,
    // a default argument where a member of a class template is defined outside of it; calls cannot use it
    clang::diag::err_param_default_argument_member_template_redecl,
    // a constexpr function that no argument makes a constant: to g++, mathematics of the C library are constants
    clang::diag::ext_constexpr_function_never_constant_expr,
    // a second error about an initialiser of a __shared__ object (shared_objects.hpp)
    clang::diag::err_alias_is_definition,
};

}  // namespace

void accept_nvcc_leniency(clang::CompilerInstance& compiler) {
  accept_nvcc_spelling(compiler);
  for (const unsigned error : errors_that_nvcc_lacks) {
    compiler.getDiagnostics().setSeverity(error, clang::diag::Severity::Ignored, {});
  }
  // The preprocessor has one watcher. Its token is the one that the parser receives.
  compiler.getPreprocessor().setTokenWatcher(
      [alignment = accept_late_alignas(compiler), constraints = accept_ptx_constraints()](const clang::Token& token) {
        auto& changeable = const_cast<clang::Token&>(token);
        alignment(changeable);
        constraints(changeable);
      });
}

}  // namespace cohort
