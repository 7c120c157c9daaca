// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grid_workspace: the memory that belongs to one launch and that the collectives of its whole grid use.
//
// A kernel whose first parameter is a grid_workspace is launched by cohort::launch_cooperative, which makes the memory
// and passes it before the user's arguments; in the kernel, cohort::this_grid(workspace) is the group that can reduce,
// scan, broadcast and vote.
//
// The memory, zero when the launch begins:
//   uint32_t round[blocks]   how many collectives the block has begun; then bytes up to a multiple of slot_alignment
//   slot slots[2][blocks]    one slot a block; collective number n uses slots[n % 2]
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../base/config.hpp"

namespace cohort {

struct grid_workspace {
  static constexpr size_t slot_alignment = 256;
  static constexpr uint32_t default_slot_bytes = 256;

  // Bytes of memory for a grid of `blocks` blocks, whose address is a multiple of slot_alignment.
  COHORT_ANY_SIDE static constexpr size_t bytes_for(uint64_t blocks, uint32_t slot_bytes = default_slot_bytes) {
    return slots_begin(blocks) + 2 * static_cast<size_t>(blocks) * slot_bytes;
  }

  // False for a workspace that no launch made.
  COHORT_ANY_SIDE bool is_valid() const { return memory != nullptr; }

  // How many collectives block `block` has begun.
  COHORT_ANY_SIDE uint32_t& round(uint64_t block) const { return static_cast<uint32_t*>(memory)[block]; }
  // The slot of block `block` of `blocks` for a collective with an even (parity 0) or odd (parity 1) number.
  COHORT_ANY_SIDE void* slot(uint32_t parity, uint64_t block, uint64_t blocks) const {
    return static_cast<char*>(memory) + slots_begin(blocks) + static_cast<size_t>(parity * blocks + block) * slot_bytes;
  }

  void* memory = nullptr;
  uint64_t slot_bytes = 0;  // a multiple of 16, below 65536

 private:
  COHORT_ANY_SIDE static constexpr size_t slots_begin(uint64_t blocks) {
    return (static_cast<size_t>(blocks) * sizeof(uint32_t) + slot_alignment - 1) / slot_alignment * slot_alignment;
  }
};

}  // namespace cohort
