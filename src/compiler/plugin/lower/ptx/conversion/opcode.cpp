// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/conversion/opcode.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace cohort {
namespace {

std::optional<number_format> parse_format(llvm::StringRef name) {
  const bool is_pair = name.consume_back("x2");
  number_format format = llvm::StringSwitch<number_format>(name)
                             .Case("bf16", {number_kind::bfloat16, 16})
                             .Case("tf32", {number_kind::tf32, 32})
                             .Case("e4m3", {number_kind::e4m3, 8})
                             .Case("e5m2", {number_kind::e5m2, 8})
                             .Default({});
  if (const auto type = parse_ptx_type(name); type && type->bits <= 64) {
    if (!llvm::StringRef("usf").contains(type->kind)) {
      return std::nullopt;
    }
    format = {type->is_float() ? number_kind::ieee : number_kind::integer, type->bits, 1, type->is_signed()};
  }
  const bool may_be_pair = format.is_float8() || (!format.is_integer() && format.bits == 16);
  if (format.bits == 0 || (is_pair ? !may_be_pair : format.is_float8())) {
    return std::nullopt;
  }
  format.elements = is_pair ? 2 : 1;
  return format;
}

bool is_float_rounding(llvm::StringRef word) { return word == "rn" || word == "rz" || word == "rm" || word == "rp"; }
bool is_integer_rounding(llvm::StringRef word) { return word.ends_with("i") && is_float_rounding(word.drop_back()); }

bool same_format(const number_format& a, const number_format& b) { return a.kind == b.kind && a.bits == b.bits; }

// Formats of which PTX converts few: pairs, tf32 and 8-bit floats.
bool exists_packed(const conversion& c) {
  const bool is_short_rounding = c.rounding == "rn" || c.rounding == "rz";
  if (c.flushes || c.saturates) {
    return false;
  }
  if (c.to.is_float8()) {
    const bool is_from_halves = c.from.kind == number_kind::ieee && c.from.bits == 16 && c.from.elements == 2;
    return (c.from.is_single() || is_from_halves) && c.rounding == "rn" && c.stays_finite;
  }
  if (c.from.is_float8()) {
    const bool is_to_halves = c.to.kind == number_kind::ieee && c.to.elements == 2;
    return is_to_halves && c.rounding == "rn" && !c.stays_finite;
  }
  return c.from.is_single() &&
         (is_short_rounding || (c.rounding == "rna" && c.to.kind == number_kind::tf32 && !c.stays_positive));
}

bool exists(const conversion& c) {
  const bool is_packed = c.to.elements == 2 || c.from.elements == 2;
  if (is_packed || c.to.kind == number_kind::tf32 || c.from.kind == number_kind::tf32) {
    return exists_packed(c);
  }
  if (c.flushes && !c.to.is_single() && !c.from.is_single()) {
    return false;
  }
  if (c.stays_positive || c.stays_finite) {
    return c.from.is_single() && !c.to.is_integer() && c.to.bits == 16 && !c.saturates &&
           (c.rounding == "rn" || c.rounding == "rz");
  }
  if (c.to.is_integer()) {
    return c.from.is_integer() ? c.rounding.empty() : is_integer_rounding(c.rounding);
  }
  if (c.saturates && c.to.kind == number_kind::bfloat16) {
    return false;
  }
  if (c.from.is_integer()) {
    return is_float_rounding(c.rounding) || (c.rounding.empty() && c.to.kind == number_kind::ieee);
  }
  if (same_format(c.to, c.from)) {
    return c.rounding.empty() || is_integer_rounding(c.rounding);
  }
  return is_float_rounding(c.rounding) || (c.rounding.empty() && holds(c.to, c.from));
}

}  // namespace

ptx_type number_format::type() const {
  return {kind == number_kind::integer ? (is_signed ? 's' : 'u') : kind == number_kind::ieee ? 'f' : 'b', bits};
}

bool holds(const number_format& to, const number_format& from) {
  return to.kind == number_kind::ieee && to.bits > from.bits;
}

std::optional<conversion> parse_conversion(llvm::StringRef opcode) {
  llvm::SmallVector<llvm::StringRef, 6> words;
  opcode.split(words, '.');
  if (words.size() < 3 || words[0] != "cvt") {
    return std::nullopt;
  }
  const auto to = parse_format(words[words.size() - 2]);
  const auto from = parse_format(words.back());
  if (!to || !from) {
    return std::nullopt;
  }
  conversion parsed;
  parsed.to = *to;
  parsed.from = *from;
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front().drop_back(2)) {
    if (word == "ftz") {
      parsed.flushes = true;
    } else if (word == "sat") {
      parsed.saturates = true;
    } else if (word == "satfinite") {
      parsed.stays_finite = true;
    } else if (word == "relu") {
      parsed.stays_positive = true;
    } else if (parsed.rounding.empty()) {
      parsed.rounding = word;
    } else {
      return std::nullopt;
    }
  }
  return exists(parsed) ? std::optional(parsed) : std::nullopt;
}

}  // namespace cohort
