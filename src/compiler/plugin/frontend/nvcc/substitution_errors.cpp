// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/nvcc/substitution_errors.hpp"

#include <memory>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "llvm/ADT/SmallVector.h"

namespace cohort {
namespace {

// Switches the deferral off inside of substitutions that may fail, and on again inside of the definitions that they
// instantiate: an error there is no substitution failure.
class substitution_watch : public clang::TemplateInstantiationCallback {
 public:
  explicit substitution_watch(clang::LangOptions& language) : language_(language) {}

  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}

  void atTemplateBegin(const clang::Sema& sema, const clang::Sema::CodeSynthesisContext&) override {
    outer_.push_back(language_.GPUDeferDiag);
    language_.GPUDeferDiag = !sema.isSFINAEContext();
  }

  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {
    language_.GPUDeferDiag = outer_.pop_back_val();
  }

 private:
  clang::LangOptions& language_;
  llvm::SmallVector<bool, 64> outer_;  // the option around each instantiation in progress
};

}  // namespace

void report_substitution_errors_at_once(clang::CompilerInstance& compiler, clang::Sema& sema) {
  if (compiler.getLangOpts().GPUDeferDiag) {
    sema.TemplateInstCallbacks.push_back(std::make_unique<substitution_watch>(compiler.getLangOpts()));
  }
}

}  // namespace cohort
