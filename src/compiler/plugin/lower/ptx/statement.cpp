// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/statement.hpp"

#include <algorithm>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cohort {
namespace {

// Removes comments. clang spells braces and bars with a dollar sign, since they divide variants on x86.
std::string plain_text(llvm::StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const llvm::StringRef rest = text.substr(i);
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size() - 1);
    } else if (rest.starts_with("/*")) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
    } else if (rest.starts_with("$(") || rest.starts_with("$)") || rest.starts_with("$|")) {
      const char spelled = text[++i];
      plain += spelled == '(' ? '{' : spelled == ')' ? '}' : '|';
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// The parts between commas. A vector `{$0, $1}` is one operand.
std::vector<std::string> split_operands(llvm::StringRef list) {
  std::vector<std::string> operands;
  while (!list.empty()) {
    const size_t brace = list.find('{');
    const size_t from = brace < list.find(',') ? list.find('}', brace) : 0;
    const auto [first, rest] = std::pair(list.substr(0, list.find(',', from)), list.find(',', from));
    operands.push_back(first.trim().str());
    list = rest == llvm::StringRef::npos ? "" : list.substr(rest + 1);
  }
  return operands;
}

// "@!p mov.u32 $0, %laneid" -> its guard, opcode and operands.
ptx_statement parse_statement(llvm::StringRef text) {
  ptx_statement parsed;
  parsed.text = text.str();
  if (text.consume_front("@")) {
    parsed.is_negated = text.consume_front("!");
    const size_t end = text.find_first_of(" \t\n");
    parsed.guard = text.substr(0, end).str();
    text = text.substr(end).ltrim();
  }
  const size_t end = text.find_first_of(" \t\n");
  parsed.opcode = text.substr(0, end).str();
  if (end != llvm::StringRef::npos) {
    parsed.operands = split_operands(text.substr(end));
  }
  return parsed;
}

}  // namespace

std::vector<ptx_statement> parse_ptx(llvm::StringRef assembly) {
  const std::string plain = plain_text(assembly);
  std::vector<ptx_statement> result;
  llvm::StringRef rest = llvm::StringRef(plain).ltrim();
  while (!rest.empty()) {
    if (rest[0] == '{' || rest[0] == '}') {
      ptx_statement scope;
      scope.text = scope.opcode = rest[0];
      result.push_back(std::move(scope));
      rest = rest.drop_front().ltrim();
      continue;
    }
    const auto [statement, behind] = rest.split(';');
    if (!statement.trim().empty()) {
      result.push_back(parse_statement(statement.trim()));
    }
    rest = behind.ltrim();
  }
  return result;
}

std::optional<ptx_type> parse_ptx_type(llvm::StringRef name) {
  if (name == "pred") {
    return ptx_type{'p', 1};
  }
  const unsigned bits = name.empty() ? 0
                                     : llvm::StringSwitch<unsigned>(name.drop_front())
                                           .Case("8", 8)
                                           .Case("16", 16)
                                           .Case("32", 32)
                                           .Case("64", 64)
                                           .Case("128", 128)
                                           .Default(0);
  const bool is_known = bits && llvm::StringRef("usbf").contains(name[0]) && (name[0] != 'f' || bits > 8);
  return is_known && (bits < 128 || name[0] == 'b') ? std::optional(ptx_type{name[0], bits}) : std::nullopt;
}

llvm::SmallVector<llvm::StringRef, 4> elements_of(llvm::StringRef operand) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  if (operand.consume_front("{") && operand.consume_back("}")) {
    operand.split(parts, ',');
    for (llvm::StringRef& part : parts) {
      part = part.trim();
    }
  } else {
    parts.push_back(operand);
  }
  return parts;
}

}  // namespace cohort
