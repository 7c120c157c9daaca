// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what the table of inline PTX holds:  ptx_table page | accepted | registers | refused
//   page      docs/ptx.md
//   accepted  a statement for each row, type and word; its registers are named by their types
//   registers each operand of each row with registers of each type; behind a tab whether the operand takes them
//   refused   statements beside the rows that the table lacks: with another type, without a word, with an operand more
//             or less; each with the reason behind a tab
#include "lower/ptx/isa/decode.hpp"
#include "lower/ptx/isa/operand_types.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>

namespace {

using namespace cohort::ptx;

constexpr std::string_view type_names[] = {
    "pred", "b8",  "b16", "b32", "b64",   "b128", "u8",     "u16",  "u32",   "u64",   "s8",     "s16",   "s32",
    "s64",  "f16", "f32", "f64", "f16x2", "bf16", "bf16x2", "tf32", "u16x2", "s16x2", "e4m3x2", "e5m2x2"};

// The types that .reg takes. `.f16x2` is left out: ptxas takes it in some places of `.b32` only, and cohortcc in all.
constexpr std::string_view declared_type_names[] = {"pred", "b8",  "u8",  "s8",  "b16", "u16", "s16", "f16", "b32",
                                                    "u32",  "s32", "f32", "b64", "u64", "s64", "f64", "b128"};

// The words and types of one statement.
struct choice {
  std::vector<std::string> words;       // the word chosen for each modifier; "" for none
  std::vector<std::string_view> types;  // the type chosen for each slot
};

std::string opcode_of(const row& form, const choice& chosen) {
  std::string text(form.name);
  size_t word = 0, slot = 0;
  for (const std::string_view each : split(form.pattern.substr(form.pattern.find('.') + 1), '.')) {
    if (form.pattern.find('.') == std::string_view::npos) {
      break;
    }
    const bool is_type = each.size() == 1 && std::string_view("TUVW").find(each) != std::string_view::npos;
    const std::string next = is_type ? std::string(chosen.types[form.type_slots[slot++]]) : chosen.words[word++];
    text += next.empty() ? "" : "." + next;
  }
  return text;
}

// The name of a register that can hold the type: "r0" has 32 bits.
std::string register_of(type of, unsigned number) {
  if (of.is_predicate()) {
    return "p" + std::to_string(number);
  }
  const unsigned bits = std::max(of.register_bits(), of.is_float8() ? 16u : 8u);
  const bool is_float = of.kind == type_kind::ieee && of.elements == 1 && bits > 16;
  const std::string kind = is_float     ? (bits == 32 ? "f" : "g")
                           : bits <= 8  ? "c"
                           : bits == 16 ? "h"
                           : bits == 32 ? "r"
                           : bits == 64 ? "l"
                                        : "q";
  return kind + std::to_string(number);
}

unsigned vector_size(const choice& chosen) {
  for (const std::string& word : chosen.words) {
    if (word == "v2" || word == "v4" || word == "v8") {
      return static_cast<unsigned>(word[1] - '0');
    }
  }
  return 1;
}

unsigned dimensions(const choice& chosen) {
  for (const std::string& word : chosen.words) {
    if (word.size() == 2 && word[1] == 'd') {
      return static_cast<unsigned>(word[0] - '0');
    }
  }
  return 0;
}

// The number of registers of D in a product of a warpgroup.
unsigned accumulators(const choice& chosen) {
  for (const std::string& word : chosen.words) {
    if (word.starts_with("m64n")) {
      const auto n = static_cast<unsigned>(std::stoul(word.substr(4)));
      return chosen.types[0] == "f16" ? n / 4 : n / 2;
    }
  }
  return 0;
}

// The operand "{r8, r9}" of `count` registers from `first` on.
std::string registers_in_braces(type of, unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += (i ? ", " : "") + register_of(of, first + i);
  }
  return "{" + text + "}";
}

// A constant that the instruction accepts: cp.async, discard and the like accept only some sizes.
std::string constant_of(const row& form, const operand_form& operand, const choice& chosen) {
  if (form.name == "cp" && form.pattern.find("bulk") == std::string_view::npos && operand.name == "c") {
    return opcode_of(form, chosen).find(".cg") != std::string::npos ? "16" : "4";
  }
  if (!operand.numbers.empty()) {
    return std::to_string(operand.numbers.back());
  }
  if (form.name.starts_with("mma")) {  // the selector of the metadata
    return "0";
  }
  if (form.pattern.starts_with("tensormap.cp_fenceproxy")) {
    return "128";
  }
  return form.name == "discard" || form.name == "applypriority" || form.name == "fence" ? "128"
         : form.name == "setmaxnreg"                                                    ? "24"
                                                                                        : "1";
}

std::string operand_text(const row& form, const operand_form& operand, const choice& chosen, unsigned number) {
  type of = operand.type_slot < 0 ? operand.fixed
                                  : parse_type(chosen.types[static_cast<size_t>(operand.type_slot)]).value_or(type());
  of.bits *= operand.is_wide ? 2 : 1;
  switch (operand.kind) {
    case operand_kind::address:
      return "[l" + std::to_string(number) + "]";
    case operand_kind::tensor:
      return "[l" + std::to_string(number) + ", " + registers_in_braces(of, 8 * (number + 1), dimensions(chosen)) + "]";
    case operand_kind::offsets:
      return registers_in_braces(of, 8 * (number + 1), std::max(dimensions(chosen), 3u) - 2);
    case operand_kind::constant:
      return constant_of(form, operand, chosen);
    case operand_kind::hint:
      return "l" + std::to_string(number);
    case operand_kind::sink:
      return "_";
    case operand_kind::label:
      return "AGAIN";
    case operand_kind::parts: {
      of.bits /= 2;
      of.kind = type_kind::bits;
      return registers_in_braces(of, number, 2);
    }
    case operand_kind::vector: {
      const unsigned count = vector_size(chosen), first = 8 + number * count;
      return count == 1 ? register_of(of, first) : registers_in_braces(of, first, count);
    }
    case operand_kind::fragment:
      return registers_in_braces(of, 8 * number, operand.registers);
    case operand_kind::accumulators:
      return registers_in_braces(of, 64, accumulators(chosen));
    case operand_kind::field:
      return register_of(of, number) + ".h1";
    case operand_kind::selected:
      return register_of(of, number) + ".b2";
    default:
      return register_of(of, number) + (operand.has_second ? "|p7" : "");
  }
}

// An operand that may be absent, cp.async's number of bytes, is left out first.
statement make_statement(const row& form, const choice& chosen, bool has_optional) {
  statement made;
  made.opcode = opcode_of(form, chosen);
  bool has_hint = false;
  for (const std::string& word : chosen.words) {
    has_hint |= word == "L2::cache_hint";
  }
  unsigned number = 0;
  for (const operand_form& each : form.operands) {
    if ((each.kind != operand_kind::hint || has_hint) && (!each.is_optional || has_optional)) {
      made.operands.push_back(operand_text(form, each, chosen, number++));
    }
  }
  return made;
}

std::string text_of(const statement& of) {
  std::string text = of.opcode;
  for (size_t i = 0; i < of.operands.size(); ++i) {
    text += (i ? ", " : " ") + of.operands[i];
  }
  return text + ";";
}

constexpr size_t most_statements = 600;  // statements of one row

// Each combination of a row's types, with the first word of each modifier.
std::vector<choice> typed_choices_of(const row& form) {
  std::vector<choice> typed = {choice()};
  for (const auto& names : form.type_names) {
    std::vector<choice> longer;
    for (const choice& each : typed) {
      for (const std::string_view name : names) {
        longer.push_back(each);
        longer.back().types.push_back(name);
      }
    }
    typed = longer.empty() ? typed : longer;
  }
  for (const modifier& each : form.modifiers) {
    for (choice& shorter : typed) {
      shorter.words.emplace_back(each.is_optional ? "" : each.words[0]);
    }
  }
  return typed;
}

// All words and types of a row that computes. Other rows get each combination of types with the first words, and each
// word with the first types, because not every state space has each hint.
std::vector<choice> choices_of(const row& form) {
  std::vector<choice> made = typed_choices_of(form);
  size_t count = made.size();
  for (const modifier& each : form.modifiers) {
    count *= each.words.size() + each.is_optional;
  }
  const bool has_address = form.operand_text.find('[') != std::string_view::npos;
  const bool takes_all = !has_address && form.name != "wgmma" && count <= most_statements;
  for (size_t i = 0; i < form.modifiers.size(); ++i) {
    const std::vector<choice> before = takes_all ? made : std::vector<choice>{made[0]};
    for (const choice& each : before) {
      for (const std::string_view word : form.modifiers[i].words) {
        if (word != each.words[i]) {
          made.push_back(each);
          made.back().words[i] = word;
        }
      }
    }
  }
  return made;
}

void print_accepted() {
  std::set<std::string> printed;
  for (const row& form : all_rows()) {
    for (const choice& each : choices_of(form)) {
      for (const bool has_optional : {false, true}) {
        const std::string text = text_of(make_statement(form, each, has_optional));
        if (printed.insert(text).second) {
          std::printf("%s\n", text.c_str());
        }
      }
    }
  }
}

void print_refused() {
  std::set<std::string> printed;
  auto print = [&](const statement& made) {
    const decoding decoded = decode(made);
    if (!decoded.found && printed.insert(text_of(made)).second) {
      std::printf("%s\t%s\n", text_of(made).c_str(), decoded.reason.c_str());
    }
  };
  for (const row& form : all_rows()) {
    const choice base = choices_of(form)[0];
    for (size_t slot = 0; slot < base.types.size() && !form.type_slots.empty(); ++slot) {
      for (const std::string_view name : type_names) {
        choice other = base;
        other.types[slot] = name;
        print(make_statement(form, other, false));
      }
    }
    for (size_t i = 0; i < form.modifiers.size(); ++i) {
      if (!form.modifiers[i].is_optional) {
        choice other = base;
        other.words[i] = "";
        print(make_statement(form, other, false));
      }
    }
    statement longer = make_statement(form, base, true), shorter = make_statement(form, base, false);
    longer.operands.emplace_back("r9");
    print(longer);
    if (!shorter.operands.empty()) {
      shorter.operands.pop_back();
      print(shorter);
    }
  }
}

// Renames registers by their types: "{r1, r2}" becomes "{b32_1, b32_2}". The predicate of "r1|p7" keeps its name.
std::string with_registers(std::string_view operand, std::string_view type_name) {
  std::string text;
  for (size_t i = 0; i < operand.size() && operand[i] != '|'; ++i) {
    const bool is_letter = std::string_view("pchrflgq").find(operand[i]) != std::string_view::npos;
    const bool is_register = is_letter && (i == 0 || operand[i - 1] != '.');
    text += is_register ? std::string(type_name) + '_' : std::string(1, operand[i]);
  }
  const size_t bar = operand.find('|');
  return bar == std::string_view::npos ? text : text + std::string(operand.substr(bar));
}

bool has_values(operand_kind kind) {
  return kind != operand_kind::address && kind != operand_kind::tensor && kind != operand_kind::hint &&
         kind != operand_kind::label && kind != operand_kind::sink && kind != operand_kind::constant;
}

// Prints each operand of each row with registers of each type, for each combination of the row's types; for products of
// matrices only the first combination.
void print_registers() {
  std::set<std::string> printed;
  for (const row& form : all_rows()) {
    std::vector<choice> choices = typed_choices_of(form);
    choices.resize(form.name == "mma" ? 1 : choices.size());
    for (const choice& each : choices) {
      const statement base = make_statement(form, each, true);
      for (size_t i = 0; i < base.operands.size(); ++i) {
        for (const std::string_view name : declared_type_names) {
          statement made = base;
          made.operands[i] = with_registers(base.operands[i], name);
          const decoding decoded = decode(made);
          if (decoded.found && has_values(decoded.found->operands[i].form->kind) &&
              printed.insert(text_of(made)).second) {
            const bool takes = takes_register(*decoded.found, decoded.found->operands[i], *parse_type(name));
            std::printf("%s\t%s\n", text_of(made).c_str(), takes ? "taken" : "refused");
          }
        }
      }
    }
  }
}

// The row's pattern as the page shows it: "shf.l|r.T" becomes "shf.{l,r}.T", and an optional word "{.sat}".
std::string spelled_pattern(const row& form) {
  std::string text(form.name);
  const size_t dot = form.pattern.find('.');
  for (std::string_view word : split(dot == std::string_view::npos ? "" : form.pattern.substr(dot + 1), '.')) {
    if (word.empty()) {
      continue;
    }
    const bool is_optional = word.ends_with('?');
    word.remove_suffix(is_optional ? 1 : 0);
    std::string set;
    for (const std::string_view each : split(word, '|')) {
      set += (set.empty() ? "" : ",") + std::string(each);
    }
    const bool is_set = set.find(',') != std::string::npos;
    const std::string braced = "." + (is_set ? "{" + set + "}" : set);
    text += is_optional ? "[" + braced + "]" : braced;
  }
  return text;
}

std::string spelled_types(const row& form) {
  std::string text;
  for (size_t slot = 0; slot < form.type_names.size(); ++slot) {
    std::string names;
    for (const std::string_view name : form.type_names[slot]) {
      names += (names.empty() ? "" : " ") + std::string(name);
    }
    if (!names.empty()) {
      text += (text.empty() ? "" : "; ") + std::string(1, "TUVW"[slot]) + ": " + names;
    }
  }
  return text;
}

std::string spelled_operands(const row& form) {
  std::string text;
  for (const operand_form& each : form.operands) {
    const std::string name(each.name);
    const std::string shown = each.kind == operand_kind::address        ? "[" + name + "]"
                              : each.kind == operand_kind::tensor       ? "[" + name + ", {coordinates}]"
                              : each.kind == operand_kind::offsets      ? "{" + name + ", ...}"
                              : each.kind == operand_kind::vector       ? "{" + name + ", ...}"
                              : each.kind == operand_kind::accumulators ? "{" + name + ", ...}"
                              : each.kind == operand_kind::parts        ? "{" + name + ", ...}"
                              : each.kind == operand_kind::fragment
                                  ? "{" + name + (each.registers == 1 ? "" : ", ...") + "}"
                              : each.kind == operand_kind::field ? name + ".part"
                                                                 : name;
    if (each.kind != operand_kind::hint) {
      text += each.is_optional ? "[, " + shown + "]" : (text.empty() ? "" : ", ") + shown;
    }
  }
  return text;
}

void print_page() {
  std::printf(
      "# Inline PTX\n\n"
      "This page lists the statements of inline PTX that cohortcc runs on a CPU. `tests/compiler/ptx_table`\n"
      "makes the page from the compiler's table, `src/compiler/plugin/lower/ptx/isa/instructions.def`. Any\n"
      "other statement is an error at its line, with the reason. [The compiler's\n"
      "design](design/compiler.md#inline-ptx) explains how the statements become code.\n\n"
      "In an opcode, a statement has one of the words in braces, and may omit the words in brackets. The\n"
      "words of an opcode may stand in any order, but its types may not. `T`, `U` and `V` stand for types.\n\n"
      "Registers are declared with `.reg`, also as vectors (`.v2`, `.v4`) and as arrays (`%%r<4>`). A\n"
      "register or number must fit its operand by the rules of PTX ISA 9.0, section 9.4: it has the\n"
      "operand's size, and a `.b` type fits each type of that size. Loads, stores and conversions take\n"
      "wider registers, too. The constraints of C++ operands mean `.b16` (`h`), `.b32` (`r`), `.b64` (`l`),\n"
      "`.b128` (`q`), `.f32` (`f`) and `.f64` (`d`). Scopes in braces, labels, and guards (`@p`, `@!p`)\n"
      "before any instruction work; `.pragma` has no effect. Numbers are decimal, octal, hexadecimal,\n"
      "binary, or bits of a float such as `0f3f800000`.\n");
  for (const section& each : all_sections()) {
    std::printf("\n## %s\n", std::string(each.title).c_str());
    if (!each.note.empty()) {
      std::printf("\n%s\n", std::string(each.note).c_str());
    }
    if (each.title == "Special registers") {
      std::string names;
      for (const special_register_form& form : special_registers()) {
        names += (names.empty() ? "`%" : ", `%") + std::string(form.name) + "`";
      }
      std::printf("\n%s.\n", names.c_str());
      continue;
    }
    std::printf("\n| opcode | types | operands |\n| --- | --- | --- |\n");
    for (const row& form : all_rows()) {
      if (form.section == each.title) {
        std::string line = "`" + spelled_pattern(form) + "` | " + spelled_types(form) + " | " +
                           (form.operands.empty() ? "" : "`" + spelled_operands(form) + "`");
        for (size_t bar = line.find("d|p"); bar != std::string::npos; bar = line.find("d|p", bar + 4)) {
          line.insert(bar + 1, "\\");
        }
        for (size_t bar = line.find("p|q"); bar != std::string::npos; bar = line.find("p|q", bar + 4)) {
          line.insert(bar + 1, "\\");
        }
        std::printf("| %s |\n", line.c_str());
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  const std::string_view what = count == 2 ? words[1] : "";
  if (what == "page") {
    print_page();
  } else if (what == "accepted") {
    print_accepted();
  } else if (what == "refused") {
    print_refused();
  } else if (what == "registers") {
    print_registers();
  } else {
    std::fputs("usage: ptx_table page|accepted|registers|refused\n", stderr);
    return 2;
  }
  return 0;
}
