// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>

#include "clang/AST/Decl.h"
#include "frontend/nvcc/spelling/redeclarations.hpp"
#include "frontend/rules/rule_report.hpp"
#include "frontend/rules/rules.hpp"

namespace cohort {

void check_redeclaration(const clang::FunctionDecl& declaration, rule_report& report) {
  if (const int number = number_of(declaration)) {
    report.warning(declaration.getLocation(), number, redeclaration_text(declaration, number));
  }
}

void check_redeclarations(clang::CompilerInstance& compiler, rule_report& report) {
  for (const redeclaration& each : find_redeclarations(compiler)) {
    const clang::SourceLocation place = each.declaration->getLocation();
    if (each.is_kernel) {
      report.error(place, "the words of '" + each.declaration->getNameAsString() +
                              "' differ from those of an earlier declaration: one has __global__, the other does not");
    } else if (each.number != 0) {
      report.warning(place, each.number,
                     redeclaration_text(*each.declaration, each.number) +
                         ", but cohortcc takes it for two: write both words in the macro that makes the name");
    }
  }
}

}  // namespace cohort
