// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access of memory, and its id in shadow memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace cohort::check {

// The access in progress.
struct access {
  uintptr_t address;
  uint64_t place;  // return address of the access, and its size in the upper byte
  uint8_t flags;
  size_t length = 0;  // the size in bytes, if the upper byte of `place` is too small for it
  const void* code() const { return reinterpret_cast<const void*>(place & ((uint64_t{1} << 56) - 1)); }
  uint32_t bytes() const { return static_cast<uint32_t>(place >> 56); }
};

// Half of a shadow slot: a record's number and the lanes of its warp, as a node of the binary tree over the warp. Node
// 1 is the full warp, 32 + i is lane i, and the parent of node n is n / 2. 0: no access. The bit between number and
// node is no part of an id: slots use it (shadow.hpp).
using access_id = uint32_t;
constexpr unsigned node_bits = 6, first_number_bit = 7, number_bits = 32 - first_number_bit;
constexpr uint32_t top_node = 1;
inline uint32_t node_of(access_id id) { return id & ((1u << node_bits) - 1); }
inline uint32_t number_of(access_id id) { return id >> first_number_bit; }
inline access_id make_id(uint32_t number, uint32_t node) { return number << first_number_bit | node; }
inline bool is_lane(uint32_t node) { return node >= 32; }
// The smallest node that covers both nodes.
inline uint32_t common_node(uint32_t a, uint32_t b) {
  const auto depth_of_a = static_cast<uint32_t>(std::bit_width(a)),
             depth_of_b = static_cast<uint32_t>(std::bit_width(b));
  const uint32_t depth = depth_of_a < depth_of_b ? depth_of_a : depth_of_b;
  a >>= depth_of_a - depth;
  b >>= depth_of_b - depth;
  return a >> std::bit_width(a ^ b);
}
// The lanes below a node: their number, the first of them, and a mask.
inline uint32_t lane_count_of(uint32_t node) { return 64u >> std::bit_width(node); }
inline uint32_t first_lane_of(uint32_t node) { return node * lane_count_of(node) - 32; }
inline uint32_t lanes_of(uint32_t node) {
  // NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): nodes begin with 1
  return static_cast<uint32_t>((uint64_t{1} << lane_count_of(node)) - 1) << first_lane_of(node);
}

// A write whose record was replaced. No record has the number 0.
constexpr access_id expired_write = top_node;

}  // namespace cohort::check
