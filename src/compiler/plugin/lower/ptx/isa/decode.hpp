// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the row of a statement, and what its words and operands mean.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lower/ptx/isa/statement.hpp"
#include "lower/ptx/isa/table.hpp"

namespace cohort::ptx {

/// A part of a register, from its lowest bit: "b3" is a byte, "h1" a half; else the register.
struct register_part {
  unsigned from = 0, bits = 32;
};

struct operand {
  const operand_form* form = nullptr;
  type value_type;
  std::string_view text;
  std::vector<std::string_view> elements;  // elements of "{a, b}"; else the text without selector and second part
  std::string_view second;                 // "p" of "d|p"
  register_part part;
};

/// A statement with its row. The views refer to the statement.
struct instruction {
  const row* form = nullptr;
  std::vector<std::string_view> words;  // words of the opcode that are no types
  std::array<type, 4> types;            // T, U, V, W
  std::vector<operand> operands;        // operands of the statement; those that it leaves out are missing

  bool has(std::string_view word) const;
  /// The word of `choices` that the opcode has; "" for none.
  std::string_view one_of(std::initializer_list<std::string_view> choices) const;
  /// The number of elements of a memory access: 1 without .v2, .v4 or .v8.
  unsigned vector_size() const;
  /// The dimensions of a tensor: 0 without .1d to .5d.
  unsigned dimensions() const;
  /// Number of registers that hold a thread's part of D in a warpgroup product (wgmma), from N in "m64nNk16".
  unsigned accumulators() const;
  /// True if the opcode names shared memory.
  bool names_shared() const;
  /// True if an address may have 32 bits, those of shared memory.
  bool is_in_shared(const operand_form& address) const;
};

struct decoding {
  std::optional<instruction> found;
  std::string reason;  // why there is none: "bfe takes .u32 .s32 .u64 .s64"
};

decoding decode(const statement& statement);

}  // namespace cohort::ptx
