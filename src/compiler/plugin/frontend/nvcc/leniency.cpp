// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/leniency.hpp"
#include "frontend/nvcc/host_references.hpp"
#include "frontend/nvcc/spelling/missing_words.hpp"
#include "frontend/nvcc/spelling/spelling.hpp"

#include <memory>
#include <utility>

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/ParseDiagnostic.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/SmallString.h"

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
    // a second error about an initialiser of a __shared__ object (shared_objects.cpp)
    clang::diag::err_alias_is_definition,
};

// Stands before the printer of diagnostics, and passes each error to the parts that record errors for a repeated pass.
class error_watch : public clang::DiagnosticConsumer {
 public:
  error_watch(clang::DiagnosticsEngine& engine, std::shared_ptr<missing_words> words, host_references references)
      : owned_printer_(engine.takeClient()),
        printer_(owned_printer_ ? *owned_printer_ : *engine.getClient()),
        words_(std::move(words)),
        references_(std::move(references)) {}

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override {
    printer_.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { printer_.EndSourceFile(); }
  void finish() override { printer_.finish(); }
  bool IncludeInDiagnosticCounts() const override { return printer_.IncludeInDiagnosticCounts(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    if (references_.take(level, diagnostic)) {
      return;
    }
    clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);  // the base class counts the errors
    if (refers_to_kernel(diagnostic)) {                              // a form that missing_words does not find
      llvm::SmallString<128> message;
      diagnostic.FormatDiagnostic(message);
      message += "; write the kernel's name in the launch or in the argument itself, not in a macro around it";
      printer_.HandleDiagnostic(level, clang::Diagnostic(diagnostic.getDiags(), message));
    } else {
      printer_.HandleDiagnostic(level, diagnostic);
    }
    references_.note(diagnostic);
    if (level >= clang::DiagnosticsEngine::Error) {
      words_->note(diagnostic);
    }
  }

 private:
  std::unique_ptr<clang::DiagnosticConsumer> owned_printer_;
  clang::DiagnosticConsumer& printer_;
  std::shared_ptr<missing_words> words_;
  host_references references_;
};

}  // namespace

std::shared_ptr<missing_words> accept_nvcc_leniency(clang::CompilerInstance& compiler, const std::string& notes) {
  host_references references(compiler, notes.empty() ? "" : notes + ".host");
  const auto words = std::make_shared<missing_words>(compiler, notes);
  accept_nvcc_spelling(compiler, words);
  compiler.getDiagnostics().setClient(new error_watch(compiler.getDiagnostics(), words, std::move(references)), true);
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
  return words;
}

}  // namespace cohort
