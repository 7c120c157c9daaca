// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/isa/table.hpp"
#include "lower/ptx/isa/statement.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <string>

namespace cohort::ptx {
namespace {

// A line of instructions.def as text.
struct line {
  std::string_view section, pattern, types, operands;
};

constexpr std::string_view slot_names = "TUVW";

bool consume_back(std::string_view& text, std::string_view end) {
  const bool found = text.ends_with(end);
  text.remove_suffix(found ? end.size() : 0);
  return found;
}

// "m64nNk16" stands for all N, "m64nMk32" for those of integers: multiples of 8 up to 256, above 32 of 16.
bool is_any_shape(std::string_view word) { return word.starts_with("m64nN") || word.starts_with("m64nM"); }

std::vector<std::string_view> shapes(std::string_view pattern) {
  static std::list<std::string> spelled;  // the words of all rows
  std::vector<std::string_view> words;
  const bool is_of_integers = pattern[4] == 'M';
  for (unsigned n = 8; n <= 256; n += 8) {
    if (!is_of_integers || n < 32 || n % 16 == 0) {
      words.push_back(spelled.emplace_back("m64n" + std::to_string(n) + std::string(pattern.substr(5))));
    }
  }
  return words;
}

// "shf.l|r.clamp|wrap?.T" -> name, modifiers, types.
void read_pattern(row& made) {
  const auto words = split(made.pattern, '.');
  made.name = words[0];
  for (size_t i = 1; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (const size_t slot = slot_names.find(word); word.size() == 1 && slot != std::string_view::npos) {
      made.type_slots.push_back(static_cast<unsigned>(slot));
      continue;
    }
    modifier each;
    each.is_optional = consume_back(word, "?");
    each.words = is_any_shape(word) ? shapes(word) : split(word, '|');
    made.modifiers.push_back(std::move(each));
  }
}

std::vector<type> types_named(std::string_view list) {
  std::vector<type> types;
  for (const std::string_view name : split(list, ' ')) {
    if (const auto known = parse_type(name)) {
      types.push_back(*known);
    }
  }
  return types;
}

// "u32 s32 / f32" -> the types of T, and those of U.
void read_types(row& made, std::string_view text) {
  for (const std::string_view list : split(text, '/')) {
    auto& names = made.type_names.emplace_back();
    made.types.push_back(types_named(trimmed(list)));
    for (const std::string_view name : split(trimmed(list), ' ')) {
      if (parse_type(name)) {
        names.push_back(name);
      }
    }
  }
}

operand_kind kind_of(std::string_view& text) {
  if (text == "[tensor]") return operand_kind::tensor;
  if (text.starts_with('[')) return operand_kind::address;
  if (text == "offsets") return operand_kind::offsets;
  if (text == "hint") return operand_kind::hint;
  if (text == "label") return operand_kind::label;
  if (text == "_") return operand_kind::sink;
  if (consume_back(text, "/")) return operand_kind::parts;
  if (consume_back(text, "*")) return operand_kind::vector;
  if (consume_back(text, "|pred")) return operand_kind::value_or_predicate;
  if (consume_back(text, "|part")) return operand_kind::selected;
  if (consume_back(text, ".part")) return operand_kind::field;
  return operand_kind::value;
}

// "-1,1" -> -1 and 1.
std::vector<int64_t> numbers_of(std::string_view text) {
  std::vector<int64_t> numbers;
  for (const std::string_view each : split(text, ',')) {
    if (!each.empty()) {
      numbers.push_back(std::stoll(std::string(each)));
    }
  }
  return numbers;
}

// Reads an operand in the table's notation: "d|p:T", "c:2T", "b:u32?", "a:[shared]".
operand_form read_operand(std::string_view text) {
  operand_form made;
  const size_t colon = text.find(':');
  made.name = text.substr(0, colon);
  made.is_destination = made.name[0] == 'd' || made.name[0] == 'p';
  made.has_second = made.name.find('|') != std::string_view::npos;
  std::string_view kind = text.substr(colon + 1);
  made.is_optional = consume_back(kind, "?");
  if (const size_t number = kind.find('#'); number != std::string_view::npos) {
    made.kind = operand_kind::constant;
    made.is_natural = kind.ends_with('+');
    made.numbers = numbers_of(made.is_natural ? "" : kind.substr(number + 1));
    kind = kind.substr(0, number);
  } else if (const size_t list = kind.find('='); list != std::string_view::npos) {
    made.numbers = numbers_of(kind.substr(list + 1));
    kind = kind.substr(0, list);
    made.kind = kind_of(kind);
  } else {
    made.kind = kind_of(kind);
  }
  if (made.kind == operand_kind::address) {
    made.space = kind.substr(1, kind.size() - 2);
    return made;
  }
  if (made.kind == operand_kind::hint) {
    made.fixed = {type_kind::bits, 64};
    return made;
  }
  if (kind.size() > 1 && kind[1] == 'x') {  // "4xf32"
    made.kind = kind[0] == 'N' ? operand_kind::accumulators : operand_kind::fragment;
    made.registers = made.kind == operand_kind::fragment ? static_cast<unsigned>(kind[0] - '0') : 0;
    kind.remove_prefix(2);
  }
  if (made.kind == operand_kind::tensor || made.kind == operand_kind::offsets) {
    made.fixed =
        made.kind == operand_kind::tensor ? type{type_kind::signed_integer, 32} : type{type_kind::unsigned_integer, 16};
    return made;
  }
  made.is_wide = kind.starts_with('2');
  kind.remove_prefix(made.is_wide ? 1 : 0);
  const size_t slot = slot_names.find(kind);
  made.type_slot = kind.size() == 1 && slot != std::string_view::npos ? static_cast<int>(slot) : -1;
  made.fixed = parse_type(kind).value_or(type());
  return made;
}

constexpr line lines[] = {
#define SECTION(title, note)
#define REGISTER(name, types, emit)
#define ROW(pattern, types, operands, emit) {"", pattern, types, operands},
#include "lower/ptx/isa/instructions.def"
};

// The section of each row: a row's line number lies between those of its section and of the next.
struct section_line {
  int at;
  section value;
};
constexpr section_line section_lines[] = {
#define SECTION(title, note) {__LINE__, {title, note}},
#define REGISTER(name, types, emit)
#define ROW(pattern, types, operands, emit)
#include "lower/ptx/isa/instructions.def"
};
constexpr int row_lines[] = {
#define SECTION(title, note)
#define REGISTER(name, types, emit)
#define ROW(pattern, types, operands, emit) __LINE__,
#include "lower/ptx/isa/instructions.def"
};

std::string_view section_at(int row_line) {
  std::string_view title;
  for (const section_line& each : section_lines) {
    title = each.at < row_line ? each.value.title : title;
  }
  return title;
}

std::vector<row> read_rows() {
  std::vector<row> rows;
  for (const line& each : lines) {
    row& made = rows.emplace_back();
    made.index = rows.size() - 1;
    made.section = section_at(row_lines[made.index]);
    made.pattern = each.pattern;
    made.operand_text = each.operands;
    read_pattern(made);
    read_types(made, each.types);
    for (const std::string_view text : split(each.operands, ' ')) {
      if (!text.empty()) {
        made.operands.push_back(read_operand(text));
      }
    }
  }
  return rows;
}

}  // namespace

const std::vector<row>& all_rows() {
  static const std::vector<row> rows = read_rows();
  return rows;
}

const std::vector<const row*>& rows_named(std::string_view name) {
  static const auto by_name = [] {
    std::map<std::string_view, std::vector<const row*>> made;
    for (const row& each : all_rows()) {
      made[each.name].push_back(&each);
    }
    return made;
  }();
  static const std::vector<const row*> none;
  const auto found = by_name.find(name);
  return found == by_name.end() ? none : found->second;
}

const std::vector<section>& all_sections() {
  static const auto sections = [] {
    std::vector<section> made;
    for (const section_line& each : section_lines) {
      made.push_back(each.value);
    }
    return made;
  }();
  return sections;
}

const std::vector<special_register_form>& special_registers() {
  static const std::vector<special_register_form> forms = {
#define SECTION(title, note)
#define REGISTER(name, types, emit) {name, types_named(types)},
#define ROW(pattern, types, operands, emit)
#include "lower/ptx/isa/instructions.def"
  };
  return forms;
}

const special_register_form* find_special_register(std::string_view name) {
  const auto& all = special_registers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace cohort::ptx
