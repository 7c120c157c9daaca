// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of PTX, and their names at the end of an opcode.
#pragma once

#include <optional>
#include <string_view>

namespace cohort::ptx {

enum class type_kind { bits, unsigned_integer, signed_integer, ieee, bfloat16, tf32, e4m3, e5m2, predicate };

struct type {
  type_kind kind = type_kind::bits;
  unsigned bits = 0;      // size of one element
  unsigned elements = 1;  // 2 in a packed pair such as f16x2

  bool is_signed() const { return kind == type_kind::signed_integer; }
  bool is_predicate() const { return kind == type_kind::predicate; }
  bool is_float8() const { return kind == type_kind::e4m3 || kind == type_kind::e5m2; }
  bool is_single() const { return kind == type_kind::ieee && bits == 32; }
  bool is_integer() const { return kind == type_kind::unsigned_integer || is_signed(); }
  bool is_ieee() const { return kind == type_kind::ieee && elements == 1; }  // LLVM's IR has the type
  unsigned register_bits() const { return bits * elements; }

  bool operator==(const type& other) const = default;
};

/// Returns the type named "u32", "f16x2", "pred"; none for another word.
std::optional<type> parse_type(std::string_view name);

/// The name of a type that `parse_type` returns, without its dot.
std::string_view name_of(type of);

}  // namespace cohort::ptx
