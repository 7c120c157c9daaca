// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/checks/source_checks.hpp"

#include "clang/Frontend/CompilerInstance.h"
#include "frontend/warnings/checks/source_visitor.hpp"

namespace cohort {
namespace {

class instantiation_visitor : public source_visitor<instantiation_visitor> {
 public:
  using source_visitor::source_visitor;

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern()) {
      found.insert(pattern);
    }
    return true;
  }

  llvm::SmallPtrSet<const clang::FunctionDecl*, 16> found;
};

}  // namespace

void check_source(clang::CompilerInstance& compiler, diagnostic_filter& filter) {
  clang::ASTContext& context = compiler.getASTContext();
  instantiation_visitor instantiations(context, filter);
  instantiations.TraverseDecl(context.getTranslationUnitDecl());
  filter.report_templates(instantiations.found);
  check_constants(context, filter);
  check_unused_expressions(context, filter);
  check_missing_returns(context, filter);
  check_launches(context, filter);
  if (compiler.getLangOpts().CUDAIsDevice) {  // nvcc reports these in its device pass only
    check_unused_values(context, filter);
    check_host_calls(context, filter);
  }
}

}  // namespace cohort
