// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/ptx/isa/type.hpp"

#include <algorithm>
#include <iterator>

namespace cohort::ptx {
namespace {

struct named_type {
  std::string_view name;
  type value;
};

constexpr named_type names[] = {
    {"b1", {type_kind::bits, 1}},
    {"b8", {type_kind::bits, 8}},
    {"b16", {type_kind::bits, 16}},
    {"b32", {type_kind::bits, 32}},
    {"b64", {type_kind::bits, 64}},
    {"b128", {type_kind::bits, 128}},
    {"u8", {type_kind::unsigned_integer, 8}},
    {"u16", {type_kind::unsigned_integer, 16}},
    {"u32", {type_kind::unsigned_integer, 32}},
    {"u64", {type_kind::unsigned_integer, 64}},
    {"s8", {type_kind::signed_integer, 8}},
    {"s16", {type_kind::signed_integer, 16}},
    {"s32", {type_kind::signed_integer, 32}},
    {"s64", {type_kind::signed_integer, 64}},
    {"u2", {type_kind::unsigned_integer, 2}},
    {"s2", {type_kind::signed_integer, 2}},
    {"u4", {type_kind::unsigned_integer, 4}},
    {"s4", {type_kind::signed_integer, 4}},
    {"u16x2", {type_kind::unsigned_integer, 16, 2}},
    {"s16x2", {type_kind::signed_integer, 16, 2}},
    {"f16", {type_kind::ieee, 16}},
    {"f16x2", {type_kind::ieee, 16, 2}},
    {"f32", {type_kind::ieee, 32}},
    {"f64", {type_kind::ieee, 64}},
    {"bf16", {type_kind::bfloat16, 16}},
    {"bf16x2", {type_kind::bfloat16, 16, 2}},
    {"tf32", {type_kind::tf32, 32}},
    {"e4m3", {type_kind::e4m3, 8}},
    {"e5m2", {type_kind::e5m2, 8}},
    {"e4m3x2", {type_kind::e4m3, 8, 2}},
    {"e5m2x2", {type_kind::e5m2, 8, 2}},
    {"pred", {type_kind::predicate, 1}},
};

}  // namespace

std::optional<type> parse_type(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(names), std::end(names), [&](const named_type& each) { return each.name == name; });
  return found == std::end(names) ? std::nullopt : std::optional(found->value);
}

std::string_view name_of(type of) {
  const auto* found =
      std::find_if(std::begin(names), std::end(names), [&](const named_type& each) { return each.value == of; });
  return found == std::end(names) ? "" : found->name;
}

}  // namespace cohort::ptx
