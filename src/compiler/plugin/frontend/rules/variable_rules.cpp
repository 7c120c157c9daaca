// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "facts/source_facts.hpp"
#include "frontend/rules/rule_report.hpp"
#include "frontend/rules/rules.hpp"
#include "frontend/syntax_visitor.hpp"
#include "frontend/warnings/execution_side.hpp"

namespace cohort {
namespace {

template <class Attribute>
bool is_marked(const clang::VarDecl& variable) {
  const auto* attribute = variable.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

bool is_managed(const clang::VarDecl& variable) {
  const auto* section = variable.getAttr<clang::SectionAttr>();
  return section && section->getName() == ".cohort.managed";
}

// The qualifier that the source has, or nullptr.
const char* qualifier(const clang::VarDecl& variable) {
  if (is_managed(variable)) {
    return "__managed__";
  }
  return is_marked<clang::CUDAConstantAttr>(variable) ? "__constant__"
         : is_marked<clang::CUDADeviceAttr>(variable) ? "__device__"
                                                      : nullptr;
}

// The class of the variable or of its elements.
clang::CXXRecordDecl* class_of(const clang::VarDecl& variable) {
  const clang::Type* element = variable.getType()->getBaseElementTypeUnsafe();
  clang::CXXRecordDecl* record = element->getAsCXXRecordDecl();
  return record ? record->getDefinition() : nullptr;
}

// True if the class needs code at run time: its default constructor is neither constexpr nor empty, its destructor is
// not empty, or it has virtual functions. Includes its bases and members.
bool runs_code(const clang::CXXRecordDecl& record, clang::SourceLocation place, clang::SemaCUDA& cuda) {
  for (clang::CXXConstructorDecl* constructor : record.ctors()) {
    if (constructor->isDefaultConstructor() && constructor->isUserProvided() && !constructor->isConstexpr() &&
        !cuda.isEmptyConstructor(place, constructor)) {
      return true;
    }
  }
  clang::CXXDestructorDecl* destructor = record.getDestructor();
  if (record.isDynamicClass() ||
      (destructor && destructor->isUserProvided() && !cuda.isEmptyDestructor(place, destructor))) {
    return true;
  }
  const auto runs = [&](clang::QualType type) {
    const auto* part = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return part && part->hasDefinition() && runs_code(*part->getDefinition(), place, cuda);
  };
  return llvm::any_of(record.bases(), [&](const auto& base) { return runs(base.getType()); }) ||
         llvm::any_of(record.fields(), [&](const auto* field) { return !record.isUnion() && runs(field->getType()); });
}

// True if the value is known before the program runs. clang leaves a hole in an initialiser whose error it defers
// outside of functions.
bool has_constant_value(const clang::VarDecl& variable, rule_report& report) {
  const clang::Expr* value = variable.getInit();
  if (!value) {
    return !variable.isInvalidDecl();
  }
  if (value->containsErrors()) {
    return false;
  }
  const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(value->IgnoreImplicit());
  if (construction && report.sema().CUDA().isEmptyConstructor(variable.getLocation(), construction->getConstructor())) {
    return true;
  }
  clang::ASTContext& context = variable.getASTContext();
  return value->isConstantInitializer(context, variable.getType()->isReferenceType());
}

void check_qualifiers(const clang::VarDecl& variable, const char* mark, const clang::FunctionDecl* function,
                      rule_report& report) {
  const clang::SourceLocation place = variable.getLocation();
  const std::string name = std::string(mark);
  if (variable.isStaticDataMember()) {
    report.warning(place, name + " is not allowed on a data member");
  } else if (variable.getTSCSpec() != clang::TSCS_unspecified) {
    report.error(place, "a " + name + " variable cannot be thread_local");
  } else if (is_managed(variable) && is_marked<clang::CUDAConstantAttr>(variable)) {
    report.error(place, "a __managed__ variable cannot be __constant__");
  } else if (is_managed(variable) && variable.getType().isConstQualified()) {
    report.error(place, "the type of a __managed__ variable cannot be const");
  } else if (variable.isStaticLocal() && side_of(function).host) {
    report.error(place, "a static " + name + " variable is not allowed inside a host function");
  } else if (variable.isInlineSpecified() && variable.getFormalLinkage() == clang::Linkage::External &&
             !facts().options.relocatable) {
    report.warning(place, "without -rdc=true an inline " + name + " variable must be static");
  }
}

bool is_unsupported(clang::QualType type) {
  const clang::Type& element = *type->getBaseElementTypeUnsafe();
  return element.isFloat128Type() || element.isVectorType();
}

// Finds a function of the host whose address is in an initialiser.
class host_function_search : public syntax_visitor<host_function_search> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
    if (function && !side_of(function).device && !function->isConstexpr() && function->getBuiltinID() == 0) {
      found = function;
    }
    return true;
  }
  bool enters_statement(clang::Stmt* statement) override {
    return !llvm::isa<clang::UnaryExprOrTypeTraitExpr>(statement);  // no code evaluates the operand, as in sizeof(f())
  }

  const clang::FunctionDecl* found = nullptr;
};

void check_functions_in(clang::Expr& value, rule_report& report) {
  host_function_search search;
  search.TraverseStmt(&value);
  if (search.found) {
    report.warning(value.getBeginLoc(),
                   "'" + search.found->getNameAsString() + "', a function of the host, has no address in device code");
  }
}

}  // namespace

void check_shared_variable(const clang::VarDecl& variable, rule_report& report) {
  clang::CXXRecordDecl* record = class_of(variable);
  if (!record || variable.hasExternalStorage()) {
    return;
  }
  const clang::SourceLocation place = variable.getLocation();
  const std::string name = variable.getNameAsString();
  const clang::CXXConstructorDecl* constructor = report.sema().LookupDefaultConstructor(record);
  if (!constructor || constructor->isDeleted()) {
    report.error(place, "the __shared__ variable '" + name + "' needs a default constructor of '" +
                            record->getNameAsString() + "', although none runs");
  } else if (runs_code(*record, place, report.sema().CUDA())) {
    report.warning(place, 20054,
                   "the __shared__ variable '" + name + "' is not initialised: no constructor of '" +
                       record->getNameAsString() + "' runs");
  }
}

void check_variable(const clang::VarDecl& variable, const clang::FunctionDecl* function, rule_report& report) {
  if (variable.getType()->isDependentType() || variable.getDeclContext()->isDependentContext() ||
      variable.isTemplated()) {
    return;
  }
  const clang::SourceLocation place = variable.getLocation();
  if (variable.hasAttr<clang::CUDASharedAttr>()) {
    return check_shared_variable(variable, report);
  }
  if (variable.getType()->isCUDADeviceBuiltinTextureType()) {
    report.warning(place, "CUDA 12 removed texture references such as '" + variable.getNameAsString() +
                              "'; pass a cudaTextureObject_t to the kernel");
  } else if (variable.getType()->isCUDADeviceBuiltinSurfaceType()) {
    report.warning(place, "CUDA 12 removed surface references such as '" + variable.getNameAsString() +
                              "'; pass a cudaSurfaceObject_t to the kernel");
  }
  const bool in_device_code = function && side_of(function).device;
  if (const char* mark = qualifier(variable); mark && variable.hasGlobalStorage()) {
    check_qualifiers(variable, mark, function, report);
    if (variable.isThisDeclarationADefinition() && !has_constant_value(variable, report)) {
      report.error(place, std::string("dynamic initialization is not supported for a ") + mark +
                              " variable: its initialiser is no constant of the compiler");
    } else if (const clang::Expr* value = variable.getInit()) {
      check_functions_in(const_cast<clang::Expr&>(*value), report);
    }
  } else if (in_device_code && variable.getTSCSpec() != clang::TSCS_unspecified) {
    report.error(place, "a variable in device code cannot be thread_local");
  } else if (in_device_code && variable.isStaticLocal() && !has_constant_value(variable, report)) {
    report.error(place,
                 "dynamic initialization is not supported for a static variable in a function for devices: its "
                 "initialiser is no constant of the compiler");
  }
  if (in_device_code && !llvm::isa<clang::ParmVarDecl>(variable) && is_unsupported(variable.getType())) {
    report.warning(place, "device code does not support the type '" + variable.getType().getAsString() + "'");
  }
}

}  // namespace cohort
