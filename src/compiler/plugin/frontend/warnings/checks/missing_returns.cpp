// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/warnings/checks/source_checks.hpp"

#include "clang/AST/Stmt.h"
#include "clang/Analysis/CFG.h"
#include "frontend/warnings/checks/source_visitor.hpp"
#include "llvm/ADT/SmallPtrSet.h"

namespace cohort {
namespace {

class switch_finder : public syntax_visitor<switch_finder> {
 public:
  bool VisitSwitchStmt(clang::SwitchStmt* statement) {
    found = found || statement->isAllEnumCasesCovered();
    return true;
  }
  // A lambda is a function of its own.
  bool enters_statement(clang::Stmt* statement) override { return !llvm::isa<clang::LambdaExpr>(statement); }

  bool found = false;
};

bool leaves_function(const clang::CFGBlock& block) {
  if (block.hasNoReturnElement()) {
    return true;
  }
  for (auto element = block.rbegin(); element != block.rend(); ++element) {
    if (const auto statement = element->getAs<clang::CFGStmt>()) {
      return llvm::isa<clang::ReturnStmt, clang::CXXThrowExpr>(statement->getStmt());
    }
  }
  return false;
}

// True if the end of the function is reachable when a `switch` gets a value that its enumeration lacks.
bool can_reach_end(const clang::CFG& graph) {
  llvm::SmallPtrSet<const clang::CFGBlock*, 32> seen;
  llvm::SmallVector<const clang::CFGBlock*> open = {&graph.getEntry()};
  while (!open.empty()) {
    const clang::CFGBlock* block = open.pop_back_val();
    if (!seen.insert(block).second || leaves_function(*block)) {
      continue;
    }
    const bool is_switch = llvm::isa_and_nonnull<clang::SwitchStmt>(block->getTerminatorStmt());
    for (const clang::CFGBlock::AdjacentBlock& next : block->succs()) {
      const clang::CFGBlock* target = next.getReachableBlock();
      if (!target && is_switch) {
        target = next.getPossiblyUnreachableBlock();
      }
      if (target == &graph.getExit()) {
        return true;
      }
      if (target) {
        open.push_back(target);
      }
    }
  }
  return false;
}

class return_visitor : public source_visitor<return_visitor> {
 public:
  using source_visitor::source_visitor;

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() || function->hasSkippedBody() || function->isMain() ||
        function->isNoReturn() || function->getReturnType()->isVoidType()) {
      return true;
    }
    switch_finder finder;
    finder.TraverseStmt(function->getBody());
    if (!finder.found) {
      return true;
    }
    const auto graph = clang::CFG::buildCFG(function, function->getBody(), &context_, clang::CFG::BuildOptions());
    if (graph && can_reach_end(*graph)) {
      filter_.report(function->getBody()->getEndLoc(), 940,
                     "non-void function does not return a value for a value that is not in the enumeration");
    }
    return true;
  }
};

}  // namespace

void check_missing_returns(clang::ASTContext& context, diagnostic_filter& filter) {
  return_visitor(context, filter).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace cohort
