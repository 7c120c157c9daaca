// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/preamble.hpp"

#include <fstream>
#include <memory>
#include <set>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "facts/source_facts.hpp"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace cohort {

std::vector<clang::Decl*> source_declarations(const clang::ASTContext& context) {
  std::vector<clang::Decl*> found;
  for (clang::Decl* each : context.getTranslationUnitDecl()->noload_decls()) {
    if (!each->isFromASTFile()) {
      found.push_back(each);
    }
  }
  return found;
}

void limit_walks_to_source(clang::ASTContext& context) {
  if (context.getTranslationUnitDecl()->hasExternalLexicalStorage()) {
    context.setTraversalScope(source_declarations(context));
  }
}

void preamble_instantiations::FunctionDefinitionInstantiated(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  if (pattern && pattern->isFromASTFile()) {
    found_.push_back(const_cast<clang::FunctionDecl*>(function));
  }
}

void preamble_instantiations::AddedCXXTemplateSpecialization(const clang::ClassTemplateDecl* pattern,
                                                             const clang::ClassTemplateSpecializationDecl* instance) {
  if (pattern->isFromASTFile()) {
    found_.push_back(const_cast<clang::ClassTemplateSpecializationDecl*>(instance));
  }
}

void preamble_instantiations::AddedCXXTemplateSpecialization(const clang::VarTemplateDecl* pattern,
                                                             const clang::VarTemplateSpecializationDecl* instance) {
  if (pattern->isFromASTFile()) {
    found_.push_back(const_cast<clang::VarTemplateSpecializationDecl*>(instance));
  }
}

bool makes_preamble(const clang::CompilerInstance& compiler) {
  return compiler.getFrontendOpts().ProgramAction == clang::frontend::GeneratePCH;
}

namespace {

const std::string end_of_facts = ".";  // ends the file of facts, because no symbol is "."

}  // namespace

void write_variable_facts(const std::string& file) {
  std::ofstream lines(file);
  for (const auto& [symbol, fact] : facts().variables) {
    lines << symbol << ' ' << fact.constant << ' ' << fact.externally_visible << ' ' << fact.texture << ' '
          << fact.surface << '\n';
  }
  lines << end_of_facts << '\n';
}

bool read_variable_facts(const std::string& file) {
  std::ifstream lines(file);
  std::string symbol;
  while (lines >> symbol && symbol != end_of_facts) {
    variable_fact& fact = facts().variables[symbol];
    lines >> fact.constant >> fact.externally_visible >> fact.texture >> fact.surface;
  }
  return symbol == end_of_facts;
}

namespace {

class search_watch : public clang::PPCallbacks {
 public:
  search_watch(const clang::SourceManager& sources, std::string file) : sources_(sources), file_(std::move(file)) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool is_angled,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                          const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
    if (is_angled || !file || !is_beside(hash, name, *file)) {
      names_.insert(name.str());
    }
  }

  void HasInclude(clang::SourceLocation, llvm::StringRef name, bool, clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    names_.insert(name.str());
  }

  void EndOfMainFile() override {
    std::ofstream lines(file_);
    for (const std::string& name : names_) {
      lines << name << '\n';
    }
  }

 private:
  // True if clang found the header by its place relative to the file that includes it.
  bool is_beside(clang::SourceLocation hash, llvm::StringRef name, clang::FileEntryRef file) const {
    const auto includer = sources_.getFileEntryRefForID(sources_.getFileID(hash));
    if (!includer) {
      return false;
    }
    llvm::SmallString<256> path(llvm::sys::path::parent_path(includer->getName()));
    llvm::sys::path::append(path, name);
    return path == file.getName();
  }

  const clang::SourceManager& sources_;
  const std::string file_;
  std::set<std::string> names_;
};

}  // namespace

void write_searched_names(const clang::CompilerInstance& compiler, const std::string& file) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<search_watch>(compiler.getSourceManager(), file));
}

}  // namespace cohort
