// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc merges the words of all declarations of a function: one that is declared for the host and for devices, in any
// order, is a __host__ __device__ function. clang takes declarations for different sides for overloads, or refuses
// them. Each declaration of such a function that lacks a word is noted for a repeated pass
// (spelling/missing_words.hpp).
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
class FunctionDecl;
}  // namespace clang

namespace cohort {

class missing_words;

// A declaration whose words are not those of the function.
struct redeclaration {
  const clang::FunctionDecl* declaration;
  int number;      // the number of the warning of nvcc; 0: nvcc has none
  bool is_kernel;  // nvcc refuses it: this declaration or one before it has __global__, the other does not
};

// The declarations in the users' files of functions with at most one definition. A function with two definitions stands
// for two functions.
std::vector<redeclaration> find_redeclarations(clang::CompilerInstance& compiler);

// Notes the declarations that lack words. If any has been noted, the pass fails.
void note_redeclarations(clang::CompilerInstance& compiler, missing_words& words);

// The words (__host__, __device__) that a repeated pass inserts for a letter of the notes. Where nvcc warns about the
// declaration, a comment after the words gives the number of the warning.
llvm::StringRef words_of_both_sides(char letter);

// The number among the words that a repeated pass has inserted, or 0.
int number_of(const clang::FunctionDecl& declaration);

// The text of the warning with that number.
std::string redeclaration_text(const clang::FunctionDecl& declaration, int number);

}  // namespace cohort
