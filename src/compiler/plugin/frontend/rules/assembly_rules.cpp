// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/rules/rule_report.hpp"
#include "frontend/rules/rules.hpp"

namespace cohort {
namespace {

// The letter of a constraint in the source. nvcc/ptx_constraints.cpp has replaced it in the tokens that clang parses.
char letter_of(const clang::StringLiteral& constraint, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::SourceLocation place = sources.getSpellingLoc(constraint.getBeginLoc());
  const unsigned length = clang::Lexer::MeasureTokenLength(place, sources, context.getLangOpts());
  const llvm::StringRef text = llvm::StringRef(sources.getCharacterData(place), length).trim("\"");
  const size_t letter = text.find_first_not_of("=+&%");
  return letter == llvm::StringRef::npos ? ' ' : text[letter];
}

// CUDA guide, "Inline PTX assembly", constraints: "r" is a register of an integer of 32 bits.
bool has_type_of(char letter, clang::QualType type, uint64_t bits) {
  switch (letter) {
    case 'h':
    case 'r':
    case 'q':
      return type->isIntegralOrEnumerationType() && bits == (letter == 'h' ? 16u : letter == 'r' ? 32u : 128u);
    case 'l':
      return (type->isIntegralOrEnumerationType() || type->isPointerType()) && bits == 64;
    case 'f':
      return type->isSpecificBuiltinType(clang::BuiltinType::Float);
    case 'd':
      return type->isSpecificBuiltinType(clang::BuiltinType::Double);
    default:
      return true;
  }
}

}  // namespace

void check_assembly(const clang::GCCAsmStmt& assembly, const clang::ASTContext& context, rule_report& report) {
  auto check = [&](const clang::StringLiteral& constraint, const clang::Expr& value) {
    const clang::QualType type = value.getType();
    const char letter = letter_of(constraint, context);
    const uint64_t bits = type->isIncompleteType() ? 0 : context.getTypeSize(type);
    if (!has_type_of(letter, type, bits)) {
      report.error(value.getBeginLoc(), "asm operand type '" + type.getAsString() + "' of " + std::to_string(bits / 8) +
                                            " bytes does not match the constraint '" + letter + "'");
    }
  };
  for (unsigned i = 0; i < assembly.getNumOutputs(); ++i) {
    check(*assembly.getOutputConstraintLiteral(i), *assembly.getOutputExpr(i));
  }
  for (unsigned i = 0; i < assembly.getNumInputs(); ++i) {
    check(*assembly.getInputConstraintLiteral(i), *assembly.getInputExpr(i));
  }
}

}  // namespace cohort
