// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/isa/statement.hpp"

#include <algorithm>
#include <cctype>

namespace cohort::ptx {
namespace {

constexpr std::string_view white_space = " \t\r\n";
constexpr size_t none = std::string_view::npos;

// Removes comments. clang spells braces and bars with a dollar sign, since they divide variants on x86, and `%=`, the
// number of the assembly that keeps its labels apart from those of others, as `${:uid}`.
std::string plain_text(std::string_view text) {
  std::string plain;
  constexpr std::string_view number = "${:uid}";
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size() - 1);
      plain += ' ';
    } else if (rest.starts_with("/*")) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
      plain += ' ';
    } else if (rest.starts_with("$(") || rest.starts_with("$)") || rest.starts_with("$|")) {
      const char spelled = text[++i];
      plain += spelled == '(' ? '{' : spelled == ')' ? '}' : '|';
    } else if (rest.starts_with(number)) {
      i += number.size() - 1;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// The parts between commas. A vector `{$0, $1}` and an address with coordinates `[$0, {$1, $2}]` are one operand.
std::vector<std::string> split_operands(std::string_view list) {
  std::vector<std::string> operands;
  list = trimmed(list);
  for (size_t from = 0; !list.empty() && from <= list.size();) {
    size_t end = from;
    for (int depth = 0; end < list.size() && (list[end] != ',' || depth > 0); ++end) {
      depth += list[end] == '{' || list[end] == '[' ? 1 : list[end] == '}' || list[end] == ']' ? -1 : 0;
    }
    operands.emplace_back(trimmed(list.substr(from, end - from)));
    from = end + 1;
  }
  return operands;
}

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

// The length of "LOOP :" at the start of the text, with its colon; 0 if there is no label.
size_t label_length(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_name_character(text[end])) {
    ++end;
  }
  const size_t colon = text.find_first_not_of(white_space, end);
  const bool is_label = end > 0 && colon != none && text[colon] == ':' && text.substr(colon, 2) != "::";
  return is_label ? colon + 1 : 0;
}

// "@!p mov.u32 $0, %laneid" -> its guard, opcode and operands.
statement parse_statement(std::string_view text) {
  statement parsed;
  parsed.text = text;
  if (text.starts_with('@')) {
    text = trimmed(text.substr(1));
    parsed.is_negated = text.starts_with('!');
    text = trimmed(text.substr(parsed.is_negated ? 1 : 0));
    const size_t end = std::min(text.find_first_of(white_space), text.size());
    parsed.guard = text.substr(0, end);
    text = trimmed(text.substr(end));
  }
  size_t end = std::min(text.find_first_of(white_space), text.size());
  if (text.starts_with('.')) {  // a directive ends at its second period, if it has one: ".reg.pred p"
    parsed.kind = statement_kind::directive;
    end = std::min(text.find('.', 1), end);
  }
  parsed.opcode = text.substr(0, end);
  parsed.operands = split_operands(text.substr(end));
  return parsed;
}

statement simple_statement(statement_kind kind, std::string_view text) {
  statement made;
  made.kind = kind;
  made.text = made.opcode = text;
  return made;
}

// Braces without an opening one stay in the outermost scope.
void number_scopes(std::vector<statement>& statements) {
  std::vector<size_t> open = {0};
  size_t braces = 0;
  for (statement& each : statements) {
    each.scopes = open;
    if (each.kind == statement_kind::open_scope) {
      open.push_back(++braces);
    } else if (each.kind == statement_kind::close_scope && open.size() > 1) {
      open.pop_back();
    }
  }
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(white_space);
  return first == none ? std::string_view() : text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

std::vector<statement> parse_statements(std::string_view assembly) {
  const std::string plain = plain_text(assembly);
  std::vector<statement> result;
  std::string_view rest = trimmed(plain);
  while (!rest.empty()) {
    size_t end = 1;
    if (rest[0] == '{' || rest[0] == '}') {
      result.push_back(simple_statement(rest[0] == '{' ? statement_kind::open_scope : statement_kind::close_scope,
                                        rest.substr(0, 1)));
    } else if (const size_t label = label_length(rest)) {
      result.push_back(simple_statement(statement_kind::label, trimmed(rest.substr(0, label - 1))));
      end = label;
    } else {
      end = std::min(rest.find(';'), rest.size());
      if (const std::string_view text = trimmed(rest.substr(0, end)); !text.empty()) {
        result.push_back(parse_statement(text));
      }
      end = std::min(end + 1, rest.size());
    }
    rest = trimmed(rest.substr(end));
  }
  number_scopes(result);
  return result;
}

std::vector<std::string_view> elements_of(std::string_view operand) {
  if (!operand.starts_with('{') || !operand.ends_with('}')) {
    return {operand};
  }
  std::vector<std::string_view> elements = split(operand.substr(1, operand.size() - 2), ',');
  for (std::string_view& each : elements) {
    each = trimmed(each);
  }
  return elements;
}

}  // namespace cohort::ptx
