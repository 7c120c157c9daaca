// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <utility>

#include "clang/Basic/SourceLocation.h"

namespace clang {
class CompilerInstance;
class Sema;
}  // namespace clang

namespace cohort {

// Reports code that nvcc refuses and clang accepts, once for each place and text: a template has several
// instantiations.
class rule_report {
 public:
  explicit rule_report(clang::CompilerInstance& compiler) : compiler_(compiler) {}

  // Reports code that has no meaning in device code, or another one than in C++.
  void error(clang::SourceLocation place, const std::string& text);
  // Reports code that nvcc refuses, and that Cohort runs as C++ defines it.
  void warning(clang::SourceLocation place, const std::string& text);
  // A warning of nvcc, with its number (warnings/nvcc_table.hpp).
  void warning(clang::SourceLocation place, int number, const std::string& text);

  clang::Sema& sema();
  bool is_macro(const char* name) const;

 private:
  bool is_new(clang::SourceLocation place, const std::string& text);

  clang::CompilerInstance& compiler_;
  std::set<std::pair<unsigned, std::string>> seen_;
};

}  // namespace cohort
