// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of instructions (instructions.def) as data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lower/ptx/isa/type.hpp"

namespace cohort::ptx {

enum class operand_kind {
  value,               // a register, a number, a special register
  value_or_predicate,  // cp.async: bytes to read, or a predicate
  constant,            // a number
  parts,               // "{a, b}": 2 or 4 parts of a register
  vector,              // as many registers as .v2, .v4 or .v8 says
  fragment,            // as many registers as the row says
  accumulators,        // registers of D of a warpgroup: as many as N and the type T need
  selected,            // a register, or its part ".b0" to ".b3", ".h0", ".h1"
  field,               // a part of a register
  address,             // "[a+8]"
  tensor,              // "[a, {x, y}]": a tensor map, and as many coordinates as .1d to .5d says
  offsets,             // "{x, y}": of an im2col copy, two less than coordinates
  hint,                // the policy of .L2::cache_hint
  label,               // the target of a branch
  sink,                // "_": the result has no register
};

struct operand_form {
  std::string_view name;
  operand_kind kind = operand_kind::value;
  int type_slot = -1;  // the opcode's type T, U, V or W; -1: `fixed`
  type fixed;
  bool is_wide = false;    // the operand has twice the bits of its type
  unsigned registers = 1;  // registers of a fragment
  bool is_destination = false;
  bool has_second = false;  // "d|p": a predicate after the bar may follow
  bool is_optional = false;
  std::vector<int64_t> numbers;  // permitted values of a constant, or of a number for a predicate; empty: any
  bool is_natural = false;       // a constant must not be negative
  std::string_view space;  // the state space of an address: "shared"; "" for generic; "opcode" if a word of the opcode
                           // names the space
};

// A set of words of which an opcode has one, at any place.
struct modifier {
  std::vector<std::string_view> words;
  bool is_optional = false;
};

struct row {
  std::string_view section, pattern, operand_text;
  std::string_view name;
  std::vector<modifier> modifiers;
  std::vector<unsigned> type_slots;      // slots of the opcode's types, from left to right
  std::vector<std::vector<type>> types;  // the types that each slot takes
  std::vector<std::vector<std::string_view>> type_names;
  std::vector<operand_form> operands;
  size_t index = 0;  // position in the table
};

const std::vector<row>& all_rows();

/// The rows of one instruction, in the order of the table; empty for an unknown one.
const std::vector<const row*>& rows_named(std::string_view name);

/// Sections of the table: their title, and a note for the page of the instructions.
struct section {
  std::string_view title, note;
};
const std::vector<section>& all_sections();

/// A special register: its name without the percent sign, such as "tid.x", and the types that `mov` takes it as.
struct special_register_form {
  std::string_view name;
  std::vector<type> types;
};
/// All special registers, in the order of the table.
const std::vector<special_register_form>& special_registers();
/// The register of a name without its percent sign; null for an unknown one.
const special_register_form* find_special_register(std::string_view name);

}  // namespace cohort::ptx
