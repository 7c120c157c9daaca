// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/rule_report.hpp"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "frontend/warnings/diagnostic_filter.hpp"

namespace cohort {

void rule_report::error(clang::SourceLocation place, const std::string& text) {
  if (is_new(place, text)) {
    auto& engine = compiler_.getDiagnostics();
    engine.Report(place, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << text;
  }
}

void rule_report::warning(clang::SourceLocation place, const std::string& text) {
  if (is_new(place, text)) {
    warnings()->report(place, 0, "nvcc refuses this: " + text);
  }
}

void rule_report::warning(clang::SourceLocation place, int number, const std::string& text) {
  if (is_new(place, text)) {
    warnings()->report(place, number, text);
  }
}

clang::Sema& rule_report::sema() { return compiler_.getSema(); }

bool rule_report::is_macro(const char* name) const { return compiler_.getPreprocessor().isMacroDefined(name); }

bool rule_report::is_new(clang::SourceLocation place, const std::string& text) {
  return seen_.insert({place.getRawEncoding(), text}).second;
}

}  // namespace cohort
