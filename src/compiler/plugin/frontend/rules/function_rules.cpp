// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "frontend/rules/rule_report.hpp"
#include "frontend/rules/rules.hpp"
#include "frontend/syntax_visitor.hpp"
#include "frontend/warnings/execution_side.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace cohort {
namespace {

constexpr uint64_t most_parameter_bytes = 32764;  // since sm_70

bool is_named(clang::QualType type, llvm::StringRef name) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getDeclName().isIdentifier() && record->getName() == name;
}

// True for `va_list`: an array of one structure, hence a pointer to it as a parameter.
bool is_variable_arguments(const clang::ParmVarDecl& parameter) {
  const clang::ASTContext& context = parameter.getASTContext();
  return context.hasSameUnqualifiedType(parameter.getType(), context.getDecayedType(context.getBuiltinVaListType()));
}

uint64_t parameter_bytes(const clang::FunctionDecl& kernel) {
  const clang::ASTContext& context = kernel.getASTContext();
  uint64_t bytes = 0;
  for (const clang::ParmVarDecl* parameter : kernel.parameters()) {
    const clang::QualType type = parameter->getType();
    const bool is_reference = type->isReferenceType();
    const uint64_t alignment = is_reference ? 8 : context.getTypeAlignInChars(type).getQuantity();
    bytes = llvm::alignTo(bytes, alignment) + (is_reference ? 8 : context.getTypeSizeInChars(type).getQuantity());
  }
  return bytes;
}

// A type of the arguments of a kernel template that other files of the program cannot name.
class local_type_search : public syntax_visitor<local_type_search> {
 public:
  bool visit_type(clang::Type* type) override {
    const auto* tag = llvm::dyn_cast<clang::TagType>(type);
    if (!tag) {
      return true;
    }
    const clang::TagDecl& declaration = *tag->getDecl();
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&declaration);
    if (record && record->isLambda()) {
      const auto* device = record->getLambdaCallOperator()->getAttr<clang::CUDADeviceAttr>();
      if (side_of(record->getLambdaCallOperator()).device || (device && !device->isImplicit())) {
        return true;
      }
      found_ = "the type of a lambda without __device__";
    } else if (const auto* function =
                   llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration.getParentFunctionOrMethod());
               function && side_of(function).host) {
      found_ = "'" + declaration.getNameAsString() + "', a type inside a host function,";
    } else if (declaration.getAccess() == clang::AS_private || declaration.getAccess() == clang::AS_protected) {
      found_ = "'" + declaration.getNameAsString() + "', a private type,";
    }
    if (const auto* instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record)) {
      for (const clang::TemplateArgument& argument : instance->getTemplateArgs().asArray()) {
        TraverseTemplateArgument(argument);
      }
    }
    return true;
  }

  const std::string& found() const { return found_; }

 private:
  std::string found_;
};

void check_signature(const clang::FunctionDecl& kernel, rule_report& report) {
  const clang::SourceLocation place = kernel.getLocation();
  if (kernel.isVariadic()) {
    report.error(place, "a kernel cannot have a variable number of arguments");
  }
  if (kernel.getDeclaredReturnType()->getContainedDeducedType()) {
    report.error(place, "the return type of a kernel must be void, not deduced");
  }
  if (kernel.isCXXClassMember()) {
    report.error(place, "a kernel cannot be a member of a class");
  }
  if (kernel.isOverloadedOperator()) {
    report.error(place, "an operator cannot be a kernel");
  }
  if (kernel.isConstexprSpecified()) {
    report.error(place, "a kernel cannot be constexpr");
  }
  // A friend declaration may name a specialization, whose definition is the template's.
  const clang::FunctionDecl* pattern = kernel.getTemplateInstantiationPattern();
  const clang::FunctionDecl& written = pattern ? *pattern : kernel;
  if (written.getFriendObjectKind() != clang::Decl::FOK_None && written.isThisDeclarationADefinition()) {
    report.error(place, "a kernel cannot be defined in a friend declaration");
  }
  if (kernel.getExceptionSpecType() != clang::EST_None) {
    report.warning(place, "a kernel cannot have an exception specification");
  }
  for (const clang::ParmVarDecl* parameter : kernel.parameters()) {
    const clang::QualType type = parameter->getType();
    const char* refused = type->isRValueReferenceType()        ? "an rvalue reference"
                          : is_named(type, "initializer_list") ? "a std::initializer_list"
                          : is_variable_arguments(*parameter)  ? "a va_list"
                                                               : nullptr;
    if (refused) {
      report.error(parameter->getLocation(), std::string("a parameter of a kernel cannot be ") + refused);
    }
  }
}

void check_kernel(const clang::FunctionDecl& kernel, rule_report& report) {
  check_signature(kernel, report);
  if (kernel.isThisDeclarationADefinition() && !kernel.isDependentContext()) {
    if (const uint64_t bytes = parameter_bytes(kernel); bytes > most_parameter_bytes) {
      report.error(kernel.getLocation(), "the parameters of kernel '" + kernel.getNameAsString() + "' have " +
                                             std::to_string(bytes) + " bytes; the limit is " +
                                             std::to_string(most_parameter_bytes));
    }
  }
  if (const auto* arguments = kernel.getTemplateSpecializationArgs()) {
    local_type_search search;
    for (const clang::TemplateArgument& argument : arguments->asArray()) {
      search.TraverseTemplateArgument(argument);
    }
    const clang::SourceLocation place = kernel.getPointOfInstantiation();
    if (!search.found().empty() && place.isValid()) {
      report.warning(place, search.found() + " cannot be a template argument of a kernel");
    }
  }
}

// An overload with this name and these parameters, for the other side.
const clang::FunctionDecl* other_side(const clang::FunctionDecl& function) {
  const execution_side side = side_of(&function);
  const clang::ASTContext& context = function.getASTContext();
  for (const clang::NamedDecl* found : function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
    const auto* other = llvm::dyn_cast<clang::FunctionDecl>(found->getUnderlyingDecl());
    if (other && other->getCanonicalDecl() != function.getCanonicalDecl() && side_of(other).host != side.host &&
        other->isDefined() && context.hasSameType(other->getType(), function.getType()) &&
        !context.getSourceManager().isInSystemHeader(other->getLocation())) {
      return other;
    }
  }
  return nullptr;
}

// The virtual functions of a base class that `function` overrides in C++, whatever their sides.
llvm::SmallVector<const clang::CXXMethodDecl*> overridden_in(const clang::CXXRecordDecl& base,
                                                             const clang::CXXMethodDecl& function, clang::Sema& sema) {
  llvm::SmallVector<const clang::CXXMethodDecl*> result;
  if (llvm::isa<clang::CXXDestructorDecl>(function)) {
    if (const auto* other = base.getDestructor(); other && other->isVirtual() && other->isUserProvided()) {
      result.push_back(other);
    }
    return result;
  }
  for (const clang::NamedDecl* found : base.lookup(function.getDeclName())) {
    const auto* other = llvm::dyn_cast<clang::CXXMethodDecl>(found);
    if (other && other->isVirtual() &&
        !sema.IsOverload(const_cast<clang::CXXMethodDecl*>(&function), const_cast<clang::CXXMethodDecl*>(other), false,
                         false)) {
      result.push_back(other);
    }
  }
  return result;
}

const char* words_of(execution_side side) {
  return side.host && side.device ? "__host__ __device__" : side.device ? "__device__" : "__host__";
}

// clang takes a virtual function of another side for one that is hidden.
void check_override(const clang::CXXMethodDecl& function, rule_report& report) {
  if (function.isStatic() || function.isDependentContext() || !function.isUserProvided() || !function.isFirstDecl() ||
      llvm::isa<clang::CXXConstructorDecl>(function)) {
    return;
  }
  const execution_side side = side_of(&function);
  function.getParent()->forallBases([&](const clang::CXXRecordDecl* base) {
    for (const clang::CXXMethodDecl* other : overridden_in(*base, function, report.sema())) {
      if (const execution_side theirs = side_of(other); side.host != theirs.host || side.device != theirs.device) {
        report.error(function.getLocation(), std::string("execution space mismatch: a ") + words_of(side) +
                                                 " function cannot override the " + words_of(theirs) + " function '" +
                                                 other->getQualifiedNameAsString() + "'");
      }
    }
    return true;
  });
}

}  // namespace

void check_function(const clang::FunctionDecl& function, rule_report& report) {
  const bool is_kernel = function.hasAttr<clang::CUDAGlobalAttr>();
  const clang::SourceLocation place = function.getLocation();
  if (function.isMain() && side_of(&function).device) {
    report.error(place, "main is a function of the host");
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXMethodDecl>(&function)) {
    check_override(*member, report);
  }
  if (is_kernel) {
    check_kernel(function, report);
  } else if (function.hasAttr<clang::CUDALaunchBoundsAttr>()) {
    report.error(place, "only a kernel can have __launch_bounds__");
  } else if (side_of(&function).device && !side_of(&function).host && function.getDeclName().isIdentifier() &&
             function.isThisDeclarationADefinition() && !function.isTemplateInstantiation() && other_side(function)) {
    report.warning(place, "a function of the host has the name and the parameters of '" + function.getNameAsString() +
                              "'; make one function of both, with __CUDA_ARCH__ inside");
  }
}

}  // namespace cohort
