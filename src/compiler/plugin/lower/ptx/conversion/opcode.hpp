// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opcode of cvt.
#pragma once

#include <optional>

#include "lower/ptx/statement.hpp"

namespace cohort {

enum class number_kind { integer, ieee, bfloat16, tf32, e4m3, e5m2 };

// A type that cvt reads or writes.
struct number_format {
  number_kind kind = number_kind::integer;
  unsigned bits = 0;      // of one element
  unsigned elements = 1;  // 2 in a packed pair
  bool is_signed = false;

  bool is_integer() const { return kind == number_kind::integer; }
  bool is_float8() const { return kind == number_kind::e4m3 || kind == number_kind::e5m2; }
  bool is_single() const { return kind == number_kind::ieee && bits == 32; }
  // One element as a type of the other instructions; bits of a format that they do not have.
  ptx_type type() const;
};

struct conversion {
  number_format to, from;
  llvm::StringRef rounding;     // rn, rni ...; may be empty
  bool flushes = false;         // .ftz
  bool saturates = false;       // .sat
  bool stays_finite = false;    // .satfinite
  bool stays_positive = false;  // .relu
};

// Reads "cvt.rn.relu.f16x2.f32"; none if a word is unknown or PTX has no such conversion.
std::optional<conversion> parse_conversion(llvm::StringRef opcode);

// True if each number of `from` is one of `to`, both floating-point formats of whole registers.
bool holds(const number_format& to, const number_format& from);

}  // namespace cohort
