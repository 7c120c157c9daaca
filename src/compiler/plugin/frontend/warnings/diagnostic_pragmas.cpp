// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/diagnostic_filter.hpp"

#include <optional>
#include <string>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

namespace cohort {
namespace {

// Gives a severity to the numbers and names that follow; without one, restores that of the command line.
class severity_pragma : public clang::PragmaHandler {
 public:
  severity_pragma(llvm::StringRef name, diagnostic_filter& filter, std::optional<warning_severity> severity)
      : PragmaHandler(name), filter_(filter), severity_(severity) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer, clang::Token& token) override {
    const clang::SourceLocation place = token.getLocation();
    for (preprocessor.Lex(token); token.isNot(clang::tok::eod); preprocessor.Lex(token)) {
      if (token.isOneOf(clang::tok::comma, clang::tok::equal)) {
        continue;
      }
      const std::string word = preprocessor.getSpelling(token);
      int number = 0;
      if (llvm::StringRef(word).getAsInteger(10, number)) {
        const nvcc_warning* warning = find_warning(word);
        number = warning ? warning->number : 0;
      }
      if (number != 0) {
        filter_.set_severity(place, number, severity_ ? &*severity_ : nullptr);
      }
    }
  }

 private:
  diagnostic_filter& filter_;
  std::optional<warning_severity> severity_;
};

class stack_pragma : public clang::PragmaHandler {
 public:
  explicit stack_pragma(diagnostic_filter& filter) : PragmaHandler("nv_diagnostic"), filter_(filter) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer, clang::Token& token) override {
    const clang::SourceLocation place = token.getLocation();
    preprocessor.Lex(token);
    const std::string word = token.is(clang::tok::identifier) ? preprocessor.getSpelling(token) : "";
    if (word == "push") {
      filter_.severities().push(place);
    } else if (word == "pop") {
      filter_.severities().pop(place);
    }
    preprocessor.DiscardUntilEndOfDirective();
  }

 private:
  diagnostic_filter& filter_;
};

class check_pragma : public clang::PragmaHandler {
 public:
  check_pragma(llvm::StringRef name, diagnostic_filter& filter) : PragmaHandler(name), filter_(filter) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer, clang::Token& token) override {
    filter_.leave_unchecked(token.getLocation());
    preprocessor.DiscardUntilEndOfDirective();
  }

 private:
  diagnostic_filter& filter_;
};

}  // namespace

void accept_diagnostic_pragmas(clang::CompilerInstance& compiler, diagnostic_filter& filter) {
  const std::pair<const char*, std::optional<warning_severity>> pragmas[] = {
      {"nv_diag_suppress", warning_severity::hidden}, {"nv_diag_remark", warning_severity::hidden},
      {"nv_diag_warning", warning_severity::warning}, {"nv_diag_error", warning_severity::error},
      {"nv_diag_once", warning_severity::once},       {"nv_diag_default", std::nullopt}};
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  for (const auto& [name, severity] : pragmas) {
    preprocessor.AddPragmaHandler(new severity_pragma(name, filter, severity));
  }
  preprocessor.AddPragmaHandler(new stack_pragma(filter));
  for (const char* name : {"nv_exec_check_disable", "hd_warning_disable"}) {
    preprocessor.AddPragmaHandler(new check_pragma(name, filter));
  }
}

}  // namespace cohort
