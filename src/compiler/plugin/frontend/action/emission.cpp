// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/action/emission.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SmallVector.h"

namespace cohort {

namespace {

bool is_of_both_sides(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDADeviceAttr>() && function.hasAttr<clang::CUDAHostAttr>();
}

}  // namespace

void emit_on_use(clang::Decl& declaration) {
  clang::FunctionDecl* function = declaration.getAsFunction();
  if (function && is_of_both_sides(*function)) {
    function->setImplicitlyInline();
  }
}

void emit_instantiation_on_use(const clang::ValueDecl& declaration) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
  if (function && is_of_both_sides(*function) &&
      function->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDefinition) {
    const_cast<clang::FunctionDecl*>(function)->setTemplateSpecializationKind(clang::TSK_ImplicitInstantiation);
  }
}

namespace {

// False for variables that are emitted at a use: those with internal linkage, inline ones and instances of templates.
bool is_emitted_at_definition(const clang::VarDecl& variable) {
  return variable.getFormalLinkage() == clang::Linkage::External && !variable.isInline() &&
         variable.getTemplateSpecializationKind() == clang::TSK_Undeclared && variable.getDefinition();
}

}  // namespace

void emit_variable(clang::ASTContext& context, const clang::VarDecl& variable) {
  const clang::VarDecl* const definition = variable.getDefinition(context);
  if (definition && !is_emitted_at_definition(*definition)) {
    context.CUDADeviceVarODRUsedByHost.insert(definition);
  }
}

void forget_emitted_variables(clang::ASTContext& context) {
  auto& used_by_host = context.CUDADeviceVarODRUsedByHost;
  llvm::SmallVector<const clang::VarDecl*, 16> emitted;
  for (const clang::VarDecl* variable : used_by_host) {
    if (is_emitted_at_definition(*variable)) {
      emitted.push_back(variable);
    }
  }
  for (const clang::VarDecl* variable : emitted) {
    used_by_host.erase(variable);
  }
}

void define_extern_variable(clang::CompilerInstance& compiler, const clang::VarDecl& declared) {
  clang::ASTContext& context = compiler.getASTContext();
  auto* scope = const_cast<clang::DeclContext*>(declared.getDeclContext());
  // A variable in `extern "C"` without braces is never a definition.
  if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(scope); linkage && !linkage->hasBraces()) {
    scope = clang::LinkageSpecDecl::Create(context, scope->getParent(), linkage->getExternLoc(), linkage->getLocation(),
                                           linkage->getLanguage(), true);
  }
  // Another declaration, since the declared one may be local to a function. The symbol is the same.
  clang::VarDecl* const definition =
      clang::VarDecl::Create(context, scope, declared.getBeginLoc(), declared.getLocation(), declared.getIdentifier(),
                             declared.getType(), declared.getTypeSourceInfo(), clang::SC_None);
  for (const clang::Attr* attribute : declared.attrs()) {
    definition->addAttr(attribute->clone(context));
  }
  compiler.getASTConsumer().HandleTopLevelDecl(clang::DeclGroupRef(definition));
}

namespace {

bool is_for_device_alone(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDADeviceAttr>() && !function.hasAttr<clang::CUDAHostAttr>();
}

}  // namespace

// Bodies in the user's own files are parsed nevertheless: a function called only there would be reported as unused.
bool is_body_unused_by_host(const clang::Decl& declaration, const clang::ASTContext& context) {
  const clang::FunctionDecl* function = declaration.getAsFunction();
  return function && is_for_device_alone(*function) &&
         context.getSourceManager().isInSystemHeader(function->getLocation());
}

void leave_templates_to_device(clang::Decl& declaration) {
  if (auto* function = declaration.getAsFunction()) {
    if (function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::UnusedAttr>()) {
      function->addAttr(clang::UnusedAttr::CreateImplicit(function->getASTContext()));
    }
    if (!function->isTemplated() || !function->doesThisDeclarationHaveABody()) {
      return;
    }
    if (function->hasAttr<clang::CUDAGlobalAttr>()) {  // an instance of a kernel is only a stub
      function->setBody(clang::CompoundStmt::CreateEmpty(function->getASTContext(), 0, false));
    } else if (is_for_device_alone(*function) && !function->isConstexpr() &&
               !function->getReturnType()->getContainedDeducedType()) {
      function->setHasSkippedBody();  // instances have no body, unless a constant or the result's type depends on it
    }
  } else if (auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration)) {
    leave_templates_to_device(*pattern->getTemplatedDecl());
  } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(declaration)) {
    for (clang::Decl* member : llvm::cast<clang::DeclContext>(declaration).decls()) {
      leave_templates_to_device(*member);
    }
  }
}

}  // namespace cohort
