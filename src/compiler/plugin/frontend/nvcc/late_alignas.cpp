// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc accepts `__shared__ alignas(16) float tile[64];`, but clang requires alignas before all other specifiers. C's
// _Alignas may stand anywhere in a declaration, so an alignas right after a memory qualifier is parsed as _Alignas.
#include "frontend/nvcc/leniency.hpp"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

namespace cohort {
namespace {

void set_meaning(clang::IdentifierInfo& word, clang::tok::TokenKind kind) {
  word.revertTokenIDToIdentifier();
  word.revertIdentifierToTokenID(kind);
}

class qualifier_watch : public clang::PPCallbacks {
 public:
  explicit qualifier_watch(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    const llvm::StringRef text = name.getIdentifierInfo()->getName();
    const bool qualifies =
        text == "__shared__" || text == "__constant__" || text == "__device__" || text == "__managed__";
    if (!qualifies || !name.getLocation().isFileID()) {
      return;
    }
    const auto next =
        clang::Lexer::findNextToken(name.getLocation(), preprocessor_.getSourceManager(), preprocessor_.getLangOpts());
    if (next && next->is(clang::tok::raw_identifier) && next->getRawIdentifier() == "alignas") {
      set_meaning(*preprocessor_.getIdentifierInfo("alignas"), clang::tok::kw__Alignas);
    }
  }

 private:
  clang::Preprocessor& preprocessor_;
};

}  // namespace

std::function<void(clang::Token&)> accept_late_alignas(clang::CompilerInstance& compiler) {
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  preprocessor.addPPCallbacks(std::make_unique<qualifier_watch>(preprocessor));
  clang::IdentifierInfo* word = preprocessor.getIdentifierInfo("alignas");
  return [word](clang::Token& token) {
    if (token.is(clang::tok::kw__Alignas) && token.getIdentifierInfo() == word) {
      set_meaning(*word, clang::tok::kw_alignas);
    }
  };
}

}  // namespace cohort
