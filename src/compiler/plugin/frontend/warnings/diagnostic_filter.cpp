// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/diagnostic_filter.hpp"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/AllDiagnostics.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "frontend/warnings/execution_side.hpp"

namespace cohort {
namespace {

using level = clang::DiagnosticsEngine::Level;

diagnostic_filter* the_filter = nullptr;

// True for diagnostics about a source, as opposed to the command line or code generation.
bool is_about_source(unsigned diagnostic) {
  using namespace clang::diag;
  return (diagnostic > DIAG_START_COMMON && diagnostic < DIAG_START_DRIVER) ||
         (diagnostic > DIAG_START_LEX && diagnostic < DIAG_START_COMMENT) ||
         (diagnostic > DIAG_START_SEMA && diagnostic < DIAG_START_REFACTORING);
}

}  // namespace

diagnostic_filter* warnings() { return the_filter; }

void filter_diagnostics(clang::CompilerInstance& compiler, const std::vector<std::string>& options) {
  auto filter = std::make_unique<diagnostic_filter>(compiler, options);
  the_filter = filter.get();
  accept_diagnostic_pragmas(compiler, *filter);
  compiler.getDiagnostics().setClient(filter.release(), true);
}

diagnostic_filter::diagnostic_filter(clang::CompilerInstance& compiler, const std::vector<std::string>& options)
    : compiler_(compiler),
      owned_printer_(compiler.getDiagnostics().takeClient()),
      printer_(owned_printer_ ? *owned_printer_ : *compiler.getDiagnostics().getClient()) {
  for (const std::string& word : options) {
    if (word == "error") {
      all_are_errors_ = true;
    } else if (word == "host-error") {
      host_are_errors_ = true;
    } else if (word == "no-numbers") {
      has_numbers_ = false;
    } else {
      severities_.read_option(word);
    }
  }
  choose_diagnostics(compiler.getDiagnostics());
}

// Silences clang's warnings, enables those of the table, and then applies the user's options again. Errors of clang
// stay errors.
void diagnostic_filter::choose_diagnostics(clang::DiagnosticsEngine& engine) {
  using clang::diag::Severity;
  std::vector<clang::diag::kind> all;
  clang::DiagnosticIDs::getAllDiagnostics(clang::diag::Flavor::WarningOrError, all);
  for (const clang::diag::kind diagnostic : all) {
    if (is_about_source(diagnostic) && engine.getDiagnosticLevel(diagnostic, {}) == level::Warning) {
      engine.setSeverity(diagnostic, Severity::Ignored, {});
    }
  }
  const auto here = compiler_.getLangOpts().CUDAIsDevice ? reporting_pass::device : reporting_pass::host;
  for (const nvcc_warning& warning : nvcc_warnings()) {
    // A pragma may show a warning that the command line hides.
    const bool is_on =
        warning.shown || severities_.at({}, warning, compiler_.getSourceManager()) != warning_severity::hidden;
    if (is_on && (warning.pass == reporting_pass::both || warning.pass == here)) {
      for (const unsigned diagnostic : warning.clang) {
        if (engine.getDiagnosticLevel(diagnostic, {}) == level::Ignored) {
          engine.setSeverity(diagnostic, Severity::Warning, {});
        }
      }
    }
  }
  clang::ProcessWarningOptions(engine, compiler_.getDiagnosticOpts(), false);
  for (const nvcc_warning& warning : nvcc_warnings()) {
    for (const unsigned diagnostic : warning.clang) {
      if (!warning.shown && engine.getDiagnosticLevel(diagnostic, {}) >= level::Warning) {
        severities_.show(warning.number);
      }
    }
  }
}

void diagnostic_filter::report(clang::SourceLocation place, int number, const std::string& text) {
  clang::DiagnosticsEngine& engine = compiler_.getDiagnostics();
  if (engine.getIgnoreAllWarnings() || compiler_.getSourceManager().isInSystemHeader(place)) {
    return;
  }
  if (number == 0 && !printed_.insert({0, place.getRawEncoding()}).second) {
    return;  // another instance of a template
  }
  reported_ = number;
  engine.Report(place, engine.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0")) << text;
  reported_ = 0;
}

void diagnostic_filter::set_severity(clang::SourceLocation place, int number, const warning_severity* severity) {
  severities_.set(place, number, severity);
  const nvcc_warning* warning = find_warning(number);
  if (!warning || warning->shown || !severity || *severity == warning_severity::hidden) {
    return;
  }
  for (const unsigned diagnostic : warning->clang) {
    compiler_.getDiagnostics().setSeverity(diagnostic, clang::diag::Severity::Warning, place);
  }
}

void diagnostic_filter::BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) {
  printer_.BeginSourceFile(language, preprocessor);
}

void diagnostic_filter::EndSourceFile() { printer_.EndSourceFile(); }

void diagnostic_filter::finish() { printer_.finish(); }

bool diagnostic_filter::IncludeInDiagnosticCounts() const { return printer_.IncludeInDiagnosticCounts(); }

void diagnostic_filter::HandleDiagnostic(level from_clang, const clang::Diagnostic& diagnostic) {
  if (from_clang == level::Note || from_clang == level::Remark) {
    if (from_clang == level::Remark || !is_dropped_) {
      printer_.HandleDiagnostic(from_clang, diagnostic);
    }
    return;
  }
  const auto [result, number] = decide(from_clang, diagnostic);
  is_dropped_ = result == level::Ignored;
  if (is_dropped_) {
    return;
  }
  clang::DiagnosticConsumer::HandleDiagnostic(result, diagnostic);  // the base class counts the errors
  if (number == 0 || !has_numbers_) {
    printer_.HandleDiagnostic(result, diagnostic);
    return;
  }
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  message += " [#" + std::to_string(number) + "-D]";
  printer_.HandleDiagnostic(result, clang::Diagnostic(diagnostic.getDiags(), message));
}

// Cohort's own diagnostics, and clang's errors, pass as they are.
diagnostic_filter::decision diagnostic_filter::decide(level from_clang, const clang::Diagnostic& diagnostic) {
  const unsigned id = diagnostic.getID();
  const nvcc_warning* warning = reported_ ? find_warning(reported_) : find_warning_of_clang(id);
  if (from_clang != level::Warning) {
    return {from_clang, warning ? number_of(*warning, diagnostic) : 0};
  }
  if (!warning) {
    const bool is_error = all_are_errors_ || (host_are_errors_ && !compiler_.getLangOpts().CUDAIsDevice);
    return {is_error ? level::Error : from_clang, 0};
  }
  const clang::SourceManager& sources = compiler_.getSourceManager();
  // clang reports deprecated names of the user in system headers.
  if (diagnostic.getLocation().isValid() &&
      sources.isInSystemHeader(sources.getExpansionLoc(diagnostic.getLocation()))) {
    return {level::Ignored, 0};
  }
  const int number = number_of(*warning, diagnostic);
  warning_severity severity = severities_.at(diagnostic.getLocation(), *find_warning(number), sources);
  if (severity == warning_severity::hidden || !is_shown_here(*warning) || is_clangs_alone(diagnostic) ||
      is_held_back(diagnostic, number) || is_repeated(diagnostic, number, severity == warning_severity::once)) {
    return {level::Ignored, 0};
  }
  const bool is_error = severity == warning_severity::error || all_are_errors_ ||
                        (host_are_errors_ && warning->host_compiler && !compiler_.getLangOpts().CUDAIsDevice);
  return {is_error ? level::Error : level::Warning, number};
}

bool diagnostic_filter::is_shown_here(const nvcc_warning& warning) const {
  if (warning.functions == shown_in::all || !compiler_.hasSema()) {
    return true;
  }
  const clang::FunctionDecl* function = compiler_.getSema().getCurFunctionDecl(true);
  const execution_side side = side_of(function);
  if (warning.functions == shown_in::host) {
    return side.host;
  }
  return side.device &&
         (warning.number != 20199 || !function->isDependentContext());  // nvcc does not warn in templates
}

// Holds back a warning about an unused variable in a template: clang reports it for the definition, nvcc for
// instantiations.
bool diagnostic_filter::is_held_back(const clang::Diagnostic& diagnostic, int number) {
  const clang::FunctionDecl* function = compiler_.hasSema() ? compiler_.getSema().getCurFunctionDecl(true) : nullptr;
  if (reported_ || number != 177 || !function || !function->isDependentContext()) {
    return false;
  }
  while (const auto* outer = llvm::dyn_cast_or_null<clang::FunctionDecl>(function->getParentFunctionOrMethod())) {
    function = outer;
  }
  llvm::SmallString<128> text;
  diagnostic.FormatDiagnostic(text);
  const llvm::StringRef group = clang::DiagnosticIDs::getWarningOptionForDiag(diagnostic.getID());
  held_back_.push_back({function, diagnostic.getLocation(), number, (text + " [-W" + group + "]").str()});
  return true;
}

void diagnostic_filter::report_templates(const llvm::SmallPtrSetImpl<const clang::FunctionDecl*>& instantiated) {
  for (const template_warning& warning : held_back_) {
    if (instantiated.contains(warning.pattern)) {
      report(warning.place, warning.number, warning.text);
    }
  }
}

// Each instantiation of a template repeats a warning.
bool diagnostic_filter::is_repeated(const clang::Diagnostic& diagnostic, int number, bool once) {
  const bool is_new_place = printed_
                                .insert({number ? ~static_cast<unsigned>(number) : diagnostic.getID(),
                                         diagnostic.getLocation().getRawEncoding()})
                                .second;
  return !is_new_place || (once && !printed_once_.insert(number).second);
}

}  // namespace cohort
