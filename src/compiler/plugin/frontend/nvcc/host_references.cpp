// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/host_references.hpp"

#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "facts/source_facts.hpp"
#include "frontend/nvcc/spelling/missing_words.hpp"
#include "frontend/syntax_visitor.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FileSystem.h"

namespace cohort {
namespace {

bool taken = false;
std::vector<clang::SourceLocation> kernel_references;  // device code refers to a kernel here; clang drops the statement

bool is_device(const clang::Decl& declaration) {
  return declaration.hasAttr<clang::CUDADeviceAttr>() || declaration.hasAttr<clang::CUDAGlobalAttr>() ||
         declaration.hasAttr<clang::CUDAConstantAttr>() || declaration.hasAttr<clang::CUDASharedAttr>() ||
         declaration.hasAttr<clang::HIPManagedAttr>();
}

bool is_host(const clang::ValueDecl& declaration) {
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration)) {
    return variable->hasGlobalStorage() && !variable->isStaticLocal() && !is_device(*variable) &&
           !variable->getType().isConstQualified();
  }
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
  return function && !is_device(*function) && function->isUserProvided() && !function->isImplicit() &&
         function->getBuiltinID() == 0 && !function->isDependentContext();
}

class reference_visitor : public syntax_visitor<reference_visitor> {
 public:
  explicit reference_visitor(clang::ASTContext& context) : context_(context), mangler_(context) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (is_device(*function)) {
      add(*function, device_);
    } else if (is_host(*function) && (function->isReferenced() || function->isUsed(false))) {
      add(*function, facts().host_symbols);
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (reference->isNonOdrUse() != clang::NOUR_Unevaluated) {
      use(*reference->getDecl());
    }
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) {
    if (member->isNonOdrUse() != clang::NOUR_Unevaluated) {
      use(*member->getMemberDecl());
    }
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construction) {
    use(*construction->getConstructor());
    return true;
  }

  bool VisitIfStmt(clang::IfStmt* branch) {
    if (const clang::Stmt* discarded = discarded_branch(*branch, context_)) {
      discarded_.insert(discarded);
    }
    return true;
  }

  // Removes names that device functions have as well, as those of the C library do.
  void finish() {
    for (const std::string& name : device_) {
      facts().host_symbols.erase(name);
    }
  }

 protected:
  bool enters_declaration(clang::Decl* declaration) override {
    const auto* scope = llvm::dyn_cast<clang::DeclContext>(declaration);
    const bool is_pattern =
        scope && llvm::isa<clang::FunctionDecl, clang::RecordDecl>(declaration) && scope->isDependentContext();
    if (is_pattern) {
      return false;
    }
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      functions_.push_back(function);
    }
    return true;
  }
  void leave(clang::Decl* declaration) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      functions_.pop_back();
      if (is_device(*function) && function->doesThisDeclarationHaveABody() && refers_to_kernel(*function->getBody())) {
        add(*function, facts().host_users);
      }
    }
  }
  bool enters_statement(clang::Stmt* statement) override {
    return !discarded_.contains(statement) &&
           !llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr>(statement);
  }
  bool enters_decltype() const override { return false; }

 private:
  void use(const clang::ValueDecl& used) {
    if (!functions_.empty() && is_device(*functions_.back()) && is_host(used)) {
      add(*functions_.back(), facts().host_users);
      if (llvm::isa<clang::VarDecl>(used)) {
        add(used, facts().host_symbols);
      }
    }
  }

  // True if a part of `body` that generates code refers to a kernel. Runs after the walk over `body`, which finds the
  // discarded branches.
  bool refers_to_kernel(const clang::Stmt& body) const {
    const clang::SourceManager& sources = context_.getSourceManager();
    const auto holds = [&](const clang::Stmt& part, clang::SourceLocation place) {
      return sources.isPointWithin(place, sources.getExpansionLoc(part.getBeginLoc()),
                                   sources.getExpansionLoc(part.getEndLoc()));
    };
    return llvm::any_of(kernel_references, [&](clang::SourceLocation place) {
      return holds(body, place) &&
             llvm::none_of(discarded_, [&](const clang::Stmt* branch) { return holds(*branch, place); });
    });
  }

  void add(const clang::ValueDecl& declaration, std::set<std::string>& symbols) {
    if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(declaration)) {
      for (const std::string& symbol : mangler_.getAllManglings(&declaration)) {
        symbols.insert(symbol);
      }
    } else {
      symbols.insert(mangler_.getName(&declaration));
    }
  }

  clang::ASTContext& context_;
  clang::ASTNameGenerator mangler_;
  std::set<std::string> device_;
  llvm::SmallPtrSet<const clang::Stmt*, 8> discarded_;
  llvm::SmallVector<const clang::FunctionDecl*> functions_;  // functions around the node, the innermost last
};

// HIP's standard parallelism accepts host functions in device code, and generates code of all host functions. The
// option is therefore off while code is generated: between these two consumers of the syntax tree.
class option_switch : public clang::ASTConsumer {
 public:
  option_switch(clang::CompilerInstance& compiler, bool is_on) : compiler_(compiler), is_on_(is_on) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef) override {
    set();
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl*) override { set(); }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl*) override { set(); }
  void CompleteTentativeDefinition(clang::VarDecl*) override { set(); }
  void HandleTranslationUnit(clang::ASTContext&) override { compiler_.getLangOpts().HIPStdPar = false; }

 private:
  void set() { compiler_.getLangOpts().HIPStdPar = taken && is_on_; }

  clang::CompilerInstance& compiler_;
  const bool is_on_;
};

template <bool is_before>
class switch_action : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    return std::make_unique<option_switch>(compiler, !is_before);
  }
  bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override { return true; }
  ActionType getActionType() override { return is_before ? AddBeforeMainAction : AddAfterMainAction; }
};

clang::FrontendPluginRegistry::Add<switch_action<true>> before("cohort-before-code", "");
clang::FrontendPluginRegistry::Add<switch_action<false>> after("cohort-after-code", "");

}  // namespace

host_references::host_references(clang::CompilerInstance& compiler, std::string notes) : notes_(std::move(notes)) {
  taken = !notes_.empty() && llvm::sys::fs::exists(notes_);
  if (taken) {
    compiler.getLangOpts().HIPStdPar = true;
    // The only error of this kind that remains is a kernel that device code refers to. No option hides a remark.
    compiler.getDiagnostics().setSeverity(clang::diag::err_ref_bad_target, clang::diag::Severity::Remark, {});
    notes_.clear();
  }
}

bool host_references::take(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& message) {
  if (level != clang::DiagnosticsEngine::Note) {
    is_taken_ = taken && message.getID() == clang::diag::err_ref_bad_target;
    if (is_taken_) {
      kernel_references.push_back(message.getSourceManager().getExpansionLoc(message.getLocation()));
    }
  }
  return is_taken_;
}

void host_references::note(const clang::Diagnostic& message) {
  if (!notes_.empty() && (message.getID() == clang::diag::note_ovl_candidate_bad_target ||
                          (message.getID() == clang::diag::err_ref_bad_target && !refers_to_kernel(message)))) {
    std::ofstream(notes_) << "taken\n";
    notes_.clear();
  }
}

bool are_host_references_taken() { return taken; }

void collect_host_references(clang::CompilerInstance& compiler) {
  reference_visitor visitor(compiler.getASTContext());
  visitor.TraverseDecl(compiler.getASTContext().getTranslationUnitDecl());
  visitor.finish();
}

}  // namespace cohort
