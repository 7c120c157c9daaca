// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks over clang's syntax tree. One instantiation of clang's visitor serves all walks: each takes seconds to compile.
#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclObjC.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/ExprObjC.h"
#include "clang/AST/ExprOpenMP.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtObjC.h"
#include "clang/AST/StmtOpenACC.h"
#include "clang/AST/StmtOpenMP.h"

namespace cohort {

// A walk whose nodes arrive by virtual functions. The names of clang's visitor are kept.
class syntax_walk {
 public:
  virtual ~syntax_walk() = default;

  // Return false if a visit ended the walk.
  bool TraverseDecl(clang::Decl* declaration);
  bool TraverseStmt(clang::Stmt* statement);
  bool TraverseTemplateArgument(const clang::TemplateArgument& argument);

  virtual bool shouldVisitTemplateInstantiations() const { return false; }
  virtual bool shouldVisitImplicitCode() const { return false; }

 protected:
  // Returns false to skip the declaration and its contents.
  virtual bool enters_declaration(clang::Decl*) { return true; }
  // Called at the end of each declaration that was entered.
  virtual void leave(clang::Decl*) {}
  // Returns false to skip the statement or expression. May be called before the visits of earlier siblings.
  virtual bool enters_statement(clang::Stmt*) { return true; }
  // Called before and after the walk over a lambda.
  virtual void begin(clang::LambdaExpr*) {}
  virtual void end(clang::LambdaExpr*) {}
  // Returns false to skip the operands of decltype.
  virtual bool enters_decltype() const { return true; }
  // A visit that returns false ends the walk.
  virtual bool visit(clang::Decl* declaration) = 0;
  virtual bool visit(clang::Stmt* statement) = 0;
  virtual bool visit_type(clang::Type*) { return true; }
  virtual bool visit_written_type(clang::TypeLoc) { return true; }

 private:
  class clang_visitor;
};

// The branch of an `if constexpr` for which no code is generated; null if there is none, or if its condition is not
// known yet.
const clang::Stmt* discarded_branch(const clang::IfStmt& branch, const clang::ASTContext& context);

// Calls Derived::VisitX(X*) for each node of class X, as clang::RecursiveASTVisitor does.
template <class Derived>
class syntax_visitor : public syntax_walk {
 protected:
  bool visit(clang::Decl* declaration) override {
#define DECL(NAME, BASE)                                                                              \
  if constexpr (requires(Derived& self, clang::NAME##Decl* node) { self.Visit##NAME##Decl(node); }) { \
    auto* node = llvm::dyn_cast<clang::NAME##Decl>(declaration);                                      \
    if (node && !static_cast<Derived*>(this)->Visit##NAME##Decl(node)) return false;                  \
  }
#define ABSTRACT_DECL(LINE) LINE
#include "clang/AST/DeclNodes.inc"
    return true;
  }

  bool visit(clang::Stmt* statement) override {
#define STMT(NAME, BASE)                                                                  \
  if constexpr (requires(Derived& self, clang::NAME* node) { self.Visit##NAME(node); }) { \
    auto* node = llvm::dyn_cast<clang::NAME>(statement);                                  \
    if (node && !static_cast<Derived*>(this)->Visit##NAME(node)) return false;            \
  }
#define ABSTRACT_STMT(LINE) LINE
#include "clang/AST/StmtNodes.inc"
    return true;
  }
};

}  // namespace cohort
