// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/isa/decode.hpp"

#include <algorithm>

namespace cohort::ptx {
namespace {

// How far a row agrees with a statement.
enum class stage { word, type, missing, count, shape, all };

struct attempt {
  stage reached = stage::word;
  std::string reason;                        // why the row agrees no further; empty if `reached` is `type` or `word`
  std::vector<std::string_view> type_names;  // if `reached` is `type`: the types that the row permits
  instruction result;
};

bool contains(const std::vector<std::string_view>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string spelled(std::string_view name, const std::vector<std::string_view>& words) {
  std::string text(name);
  for (const std::string_view word : words) {
    text += '.';
    text += word;
  }
  return text;
}

std::string listed(const std::vector<std::string_view>& words, std::string_view between) {
  std::string text;
  for (const std::string_view word : words) {
    text += text.empty() ? "" : between;
    text += '.';
    text += word;
  }
  return text;
}

// Gives the words of the opcode to the row's modifiers and types.
class word_match {
 public:
  word_match(const row& form, attempt& result) : form_(form), result_(result), filled_(form.modifiers.size()) {}

  // Takes the next word of the opcode. False ends the attempt.
  bool take(std::string_view word) {
    for (size_t i = 0; i < filled_.size(); ++i) {
      if (!filled_[i] && contains(form_.modifiers[i].words, word)) {
        filled_[i] = true;
        result_.result.words.push_back(word);
        return true;
      }
    }
    const auto known = parse_type(word);
    if (!known || types_ == form_.type_slots.size()) {
      return stop(known && types_ == 0 && !form_.type_slots.empty() ? stage::type : stage::word);
    }
    return take_type(*known);
  }

  bool finish() {
    for (size_t i = 0; i < filled_.size(); ++i) {
      if (!filled_[i] && !form_.modifiers[i].is_optional) {
        result_.reason =
            spelled(form_.name, result_.result.words) + " needs " + listed(form_.modifiers[i].words, " or ");
        return stop(stage::missing);
      }
    }
    if (types_ < form_.type_slots.size()) {
      result_.reason = spelled(form_.name, result_.result.words) + " needs one more type of " +
                       listed(form_.type_names[form_.type_slots[types_]], " ");
      return stop(stage::missing);
    }
    return true;
  }

 private:
  bool take_type(type known) {
    const unsigned slot = form_.type_slots[types_];
    type& own = result_.result.types[slot];
    const bool is_repeated = own.bits != 0;
    const auto& choices = form_.types[slot];
    const bool is_taken =
        is_repeated ? own == known : std::find(choices.begin(), choices.end(), known) != choices.end();
    if (!is_taken) {
      result_.type_names = form_.type_names[slot];
      return stop(stage::type);
    }
    own = known;
    ++types_;
    return true;
  }

  bool stop(stage at) {
    result_.reached = at;
    return false;
  }

  const row& form_;
  attempt& result_;
  std::vector<bool> filled_;
  size_t types_ = 0;
};

// The row's operands that the statement has: hints and optional operands may be absent.
std::vector<const operand_form*> present_operands(const instruction& decoded, size_t count) {
  std::vector<const operand_form*> forms;
  for (const operand_form& each : decoded.form->operands) {
    if (each.kind != operand_kind::hint || decoded.has("L2::cache_hint")) {
      forms.push_back(&each);
    }
  }
  for (size_t i = forms.size(); i-- > 0 && forms.size() > count;) {
    if (forms[i]->is_optional) {
      forms.erase(forms.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return forms;
}

// Takes ".b3" or ".h1" off the text; false if that part does not exist.
bool take_selector(std::string_view& text, register_part& part) {
  const size_t dot = text.rfind('.');
  const std::string_view selector = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  if (selector.size() != 2 || (selector[0] != 'b' && selector[0] != 'h')) {
    return true;  // the period belongs to a name such as "%tid.x"
  }
  part.bits = selector[0] == 'b' ? 8 : 16;
  const auto number = static_cast<unsigned>(selector[1] - '0');
  part.from = number * part.bits;
  text = text.substr(0, dot);
  return number < 32 / part.bits;
}

type type_of(const instruction& decoded, const operand_form& form) {
  type result = form.type_slot < 0 ? form.fixed : decoded.types[static_cast<size_t>(form.type_slot)];
  result.bits *= form.is_wide ? 2 : 1;
  return result;
}

// "[a, {x, y}]" -> the text "[a" and the elements "x" and "y"; the reason if it has another form.
std::string read_tensor(const instruction& decoded, operand& made, const std::string& name) {
  const std::string_view text = made.text;
  const size_t comma = text.find(',');
  if (!text.starts_with('[') || !text.ends_with(']') || comma == std::string_view::npos) {
    return name + " is [map, {coordinates}]";
  }
  made.text = trimmed(text.substr(0, comma));
  made.elements = elements_of(trimmed(text.substr(comma + 1, text.size() - comma - 2)));
  return made.elements.size() == decoded.dimensions()
             ? ""
             : name + " has " + std::to_string(decoded.dimensions()) + " coordinates";
}

// Reads the text of one operand by its form; the reason if it has another form.
std::string read_operand(const instruction& decoded, operand& made) {
  const operand_form& form = *made.form;
  const std::string name = "operand " + std::string(form.name);
  std::string_view text = made.text;
  if (form.has_second) {
    const size_t bar = text.find('|');
    made.second = bar == std::string_view::npos ? "" : trimmed(text.substr(bar + 1));
    text = trimmed(text.substr(0, bar));
  }
  const bool is_address = text.starts_with('['), is_vector = text.starts_with('{');
  if (form.kind == operand_kind::tensor) {
    return read_tensor(decoded, made, name);
  }
  if (is_address != (form.kind == operand_kind::address)) {
    return is_address ? name + " is no address" : name + " is an address in brackets";
  }
  made.elements = elements_of(text);
  switch (form.kind) {
    case operand_kind::parts:
      return is_vector && (made.elements.size() == 2 || made.elements.size() == 4)
                 ? ""
                 : name + " has 2 or 4 parts in braces";
    case operand_kind::vector:
      return made.elements.size() == decoded.vector_size() || !is_vector
                 ? ""
                 : name + " has " + std::to_string(decoded.vector_size()) + " elements";
    case operand_kind::fragment:
      return made.elements.size() == form.registers ? ""
                                                    : name + " has " + std::to_string(form.registers) + " registers";
    case operand_kind::accumulators:
      return made.elements.size() == decoded.accumulators()
                 ? ""
                 : name + " has " + std::to_string(decoded.accumulators()) + " registers";
    case operand_kind::offsets:
      return is_vector && made.elements.size() + 2 == decoded.dimensions()
                 ? ""
                 : name + " has " + std::to_string(decoded.dimensions() - 2) + " offsets in braces";
    case operand_kind::selected:
    case operand_kind::field:
      if (!take_selector(made.elements[0], made.part)) {
        return name + " has no part ." + std::string(made.text.substr(made.text.rfind('.') + 1));
      }
      return form.kind == operand_kind::field && made.part.bits == 32 ? name + " is a part of a register" : "";
    case operand_kind::sink:
      return text == "_" ? "" : name + " is _";
    default:
      return is_vector ? name + " is one register" : "";
  }
}

std::string operand_names(const row& form) {
  std::string text;
  for (const operand_form& each : form.operands) {
    if (each.kind != operand_kind::hint) {
      text += (text.empty() ? "" : ", ") + std::string(each.name) + (each.is_optional ? " (optional)" : "");
    }
  }
  return text.empty() ? "no operands" : "the operands " + text;
}

attempt try_row(const row& form, const std::vector<std::string_view>& words, const std::vector<std::string>& operands) {
  attempt result;
  result.result.form = &form;
  word_match match(form, result);
  for (size_t i = 1; i < words.size(); ++i) {
    if (!match.take(words[i])) {
      return result;
    }
  }
  if (!match.finish()) {
    return result;
  }
  const auto forms = present_operands(result.result, operands.size());
  if (forms.size() != operands.size()) {
    result.reached = stage::count;
    result.reason = spelled(form.name, result.result.words) + " has " + operand_names(form);
    return result;
  }
  for (size_t i = 0; i < forms.size(); ++i) {
    operand& made = result.result.operands.emplace_back();
    made.form = forms[i];
    made.value_type = type_of(result.result, *forms[i]);
    made.text = operands[i];
    result.reason = read_operand(result.result, made);
    if (!result.reason.empty()) {
      result.reached = stage::shape;
      result.reason += " in " + spelled(form.name, result.result.words);
      return result;
    }
  }
  result.reached = stage::all;
  return result;
}

// The reason of the attempts that came furthest.
std::string refusal(const std::vector<attempt>& attempts, const std::vector<std::string_view>& words) {
  stage furthest = stage::word;
  for (const attempt& each : attempts) {
    furthest = std::max(furthest, each.reached);
  }
  std::vector<std::string_view> type_names;
  const attempt* first = nullptr;
  for (const attempt& each : attempts) {
    if (each.reached != furthest) {
      continue;
    }
    first = first ? first : &each;
    for (const std::string_view name : each.type_names) {
      if (!contains(type_names, name)) {
        type_names.push_back(name);
      }
    }
  }
  if (furthest > stage::type) {
    return first->reason;
  }
  if (furthest == stage::type && !type_names.empty()) {
    return spelled(words[0], first->result.words) + " takes " + listed(type_names, " ");
  }
  for (size_t i = 1; i < words.size(); ++i) {  // a word that no row has
    const bool is_known = std::any_of(attempts.begin(), attempts.end(), [&](const attempt& each) {
      const auto& sets = each.result.form->modifiers;
      return std::any_of(sets.begin(), sets.end(), [&](const modifier& set) { return contains(set.words, words[i]); });
    });
    if (!is_known && !parse_type(words[i])) {
      return std::string(words[0]) + " has no ." + std::string(words[i]);
    }
  }
  return std::string(words[0]) + " has no form with these words";
}

}  // namespace

bool instruction::has(std::string_view word) const { return contains(words, word); }

std::string_view instruction::one_of(std::initializer_list<std::string_view> choices) const {
  const auto* found = std::find_if(choices.begin(), choices.end(), [&](std::string_view word) { return has(word); });
  return found == choices.end() ? "" : *found;
}

unsigned instruction::vector_size() const {
  const std::string_view word = one_of({"v2", "v4", "v8"});
  return word.empty() ? 1 : static_cast<unsigned>(word[1] - '0');
}

unsigned instruction::dimensions() const {
  const std::string_view word = one_of({"1d", "2d", "3d", "4d", "5d"});
  return word.empty() ? 0 : static_cast<unsigned>(word[0] - '0');
}

unsigned instruction::accumulators() const {
  for (const std::string_view word : words) {
    if (word.starts_with("m64n")) {
      const auto n = static_cast<unsigned>(std::stoul(std::string(word.substr(4))));
      return types[0].bits == 16 ? n / 4 : n / 2;
    }
  }
  return 0;
}

bool instruction::names_shared() const { return !one_of({"shared", "shared::cta", "shared::cluster"}).empty(); }

bool instruction::is_in_shared(const operand_form& address) const {
  return address.space == "shared" || (address.space == "opcode" && names_shared());
}

decoding decode(const statement& statement) {
  const auto words = split(statement.opcode, '.');
  const auto& rows = rows_named(words[0]);
  std::vector<attempt> attempts;
  for (const row* each : rows) {
    attempt made = try_row(*each, words, statement.operands);
    if (made.reached == stage::all) {
      return {std::move(made.result), ""};
    }
    attempts.push_back(std::move(made));
  }
  return {std::nullopt,
          rows.empty() ? "no instruction " + std::string(words[0]) + " is known" : refusal(attempts, words)};
}

}  // namespace cohort::ptx
