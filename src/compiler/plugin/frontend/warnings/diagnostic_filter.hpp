// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands between clang and its printer of diagnostics. Shows the warnings that nvcc shows, with nvcc's numbers, and
// those that the user's options of clang enable.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "frontend/warnings/severities.hpp"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class CompilerInstance;
class Diagnostic;
class FunctionDecl;
}  // namespace clang

namespace cohort {

class diagnostic_filter : public clang::DiagnosticConsumer {
 public:
  // Stands between the compiler and its printer. `options`: words of the plugin's options that begin with "warnings-",
  // without that beginning.
  diagnostic_filter(clang::CompilerInstance& compiler, const std::vector<std::string>& options);

  // Reports a warning that clang lacks. Nothing appears in system headers.
  void report(clang::SourceLocation place, int number, const std::string& text);

  void set_severity(clang::SourceLocation place, int number, const warning_severity* severity);
  warning_severities& severities() { return severities_; }

  // Reports the warnings that were held back in templates, for instantiated ones only.
  void report_templates(const llvm::SmallPtrSetImpl<const clang::FunctionDecl*>& instantiated);

  // `#pragma nv_exec_check_disable`: calls in the next function are not checked.
  void leave_unchecked(clang::SourceLocation place) { unchecked_calls_.push_back(place); }
  const std::vector<clang::SourceLocation>& unchecked_calls() const { return unchecked_calls_; }

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override;
  void EndSourceFile() override;
  void finish() override;
  bool IncludeInDiagnosticCounts() const override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;

 private:
  struct decision {
    clang::DiagnosticsEngine::Level level;
    int number;  // number to print; 0: none
  };

  void choose_diagnostics(clang::DiagnosticsEngine& engine);
  decision decide(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic);
  bool is_held_back(const clang::Diagnostic& diagnostic, int number);
  bool is_shown_here(const nvcc_warning& warning) const;
  bool is_repeated(const clang::Diagnostic& diagnostic, int number, bool once);

  struct template_warning {
    const clang::FunctionDecl* pattern;
    clang::SourceLocation place;
    int number;
    std::string text;
  };

  clang::CompilerInstance& compiler_;
  std::unique_ptr<clang::DiagnosticConsumer> owned_printer_;
  clang::DiagnosticConsumer& printer_;
  warning_severities severities_;
  bool all_are_errors_ = false;   // -Werror all-warnings
  bool host_are_errors_ = false;  // -Xcompiler -Werror
  bool has_numbers_ = true;
  bool is_dropped_ = false;                          // the last diagnostic: its notes follow it
  int reported_ = 0;                                 // number of the warning that report() is reporting
  std::set<std::pair<unsigned, unsigned>> printed_;  // warnings by number, or clang's id, and place
  std::set<int> printed_once_;
  std::vector<clang::SourceLocation> unchecked_calls_;
  std::vector<template_warning> held_back_;
};

// The filter of this process; nullptr where clang's diagnostics are not filtered.
diagnostic_filter* warnings();

void filter_diagnostics(clang::CompilerInstance& compiler, const std::vector<std::string>& options);

// True for a case that clang reports and nvcc's warning does not cover.
bool is_clangs_alone(const clang::Diagnostic& diagnostic);

// `#pragma nv_diag_suppress 177`, its variants and `#pragma nv_diagnostic push`.
void accept_diagnostic_pragmas(clang::CompilerInstance& compiler, diagnostic_filter& filter);

}  // namespace cohort
