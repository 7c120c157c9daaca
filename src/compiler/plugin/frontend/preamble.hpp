// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The preamble: the headers that cohortcc includes before each CUDA source. A pass may read it in precompiled form. Its
// declarations then arrive from the file as the source names them, and a walk over all of them would read the whole
// file: two thirds of the time of a small source.
#pragma once

#include <string>
#include <vector>

#include "clang/AST/ASTMutationListener.h"

namespace clang {
class ASTContext;
class CompilerInstance;
class Decl;
}  // namespace clang

namespace cohort {

// The declarations at the top level of the translation unit, without those of a precompiled preamble.
std::vector<clang::Decl*> source_declarations(const clang::ASTContext& context);

// From now on, walks over the translation unit enter source_declarations() only.
void limit_walks_to_source(clang::ASTContext& context);

// Collects what the source instantiates from templates of a precompiled preamble: a walk over the source finds an
// instantiation at its template.
class preamble_instantiations : public clang::ASTMutationListener {
 public:
  const std::vector<clang::Decl*>& found() const { return found_; }

  void FunctionDefinitionInstantiated(const clang::FunctionDecl* function) override;
  void AddedCXXTemplateSpecialization(const clang::ClassTemplateDecl* pattern,
                                      const clang::ClassTemplateSpecializationDecl* instance) override;
  void AddedCXXTemplateSpecialization(const clang::VarTemplateDecl* pattern,
                                      const clang::VarTemplateSpecializationDecl* instance) override;

 private:
  std::vector<clang::Decl*> found_;
};

// True while a pass makes the precompiled form.
bool makes_preamble(const clang::CompilerInstance& compiler);

// Writes the facts about variables, the only facts that a preamble has, for the passes that read its precompiled form.
void write_variable_facts(const std::string& file);
// Adds the facts of such a file. Returns false if it is not whole.
bool read_variable_facts(const std::string& file);

// Writes the names of headers that this pass searches in the folders of the command line and of the system, a line
// each: a folder that has one of them may change the preamble.
void write_searched_names(const clang::CompilerInstance& compiler, const std::string& file);

}  // namespace cohort
