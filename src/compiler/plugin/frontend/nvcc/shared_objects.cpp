// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/leniency.hpp"

#include <vector>

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

namespace cohort {
namespace {

bool may_have_constructor(clang::QualType type) {
  return type->isDependentType() || type->getBaseElementTypeUnsafe()->isRecordType();
}

std::vector<clang::VarDecl*>& outside_of_functions() {
  static std::vector<clang::VarDecl*> variables;
  return variables;
}

class not_constructed : public clang::ParsedAttrInfo {
 public:
  not_constructed() {
    static constexpr Spelling spellings[] = {{clang::AttributeCommonInfo::AS_GNU, "cohort_not_constructed"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* declaration,
                                   const clang::ParsedAttr&) const override {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (!variable || variable->hasExternalStorage() || !may_have_constructor(variable->getType())) {
      return AttributeNotApplied;
    }
    variable->addAttr(clang::AliasAttr::CreateImplicit(sema.Context, "cohort_not_constructed"));
    if (!variable->isLocalVarDecl()) {
      outside_of_functions().push_back(variable);
    }
    return AttributeApplied;
  }
};

clang::ParsedAttrInfoRegistry::Add<not_constructed> attribute_registration("cohort_not_constructed", "");

}  // namespace

void end_shared_declarations() {
  for (clang::VarDecl* variable : outside_of_functions()) {
    variable->dropAttr<clang::AliasAttr>();
  }
  outside_of_functions().clear();
}

}  // namespace cohort
