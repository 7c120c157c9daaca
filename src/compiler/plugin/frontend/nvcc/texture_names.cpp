// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/texture_names.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "names.hpp"

namespace cohort {
namespace {

// Receives clang's lookups of unqualified names that no scope has.
class texture_names : public clang::ExternalSemaSource {
 public:
  explicit texture_names(clang::Sema& sema) : sema_(sema) {}

  bool LookupUnqualified(clang::LookupResult& result, clang::Scope*) override {
    const clang::IdentifierInfo* name = result.getLookupName().getAsIdentifierInfo();
    if (!name || !(name->isStr("texture") || name->isStr("surface")) || result.isForRedeclaration() ||
        result.getLookupKind() != clang::Sema::LookupOrdinaryName ||
        sema_.getPreprocessor().LookAhead(0).isNot(clang::tok::less)) {
      return false;
    }
    clang::ASTContext& context = sema_.getASTContext();
    for (clang::NamedDecl* found :
         context.getTranslationUnitDecl()->lookup(&context.Idents.get(names::texture_references))) {
      if (auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(found)) {
        return sema_.LookupQualifiedName(result, scope);
      }
    }
    return false;
  }

 private:
  clang::Sema& sema_;
};

}  // namespace

void find_texture_names(clang::Sema& sema) {
  sema.addExternalSource(new texture_names(sema));  // Sema counts references to it
}

}  // namespace cohort
