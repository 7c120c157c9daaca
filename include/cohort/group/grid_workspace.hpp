// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grid_workspace: the memory of one launch for the collectives of its whole grid.
//
// Layout, zero when the launch begins:
//   uint32_t round[blocks]   number of collectives that the block has begun; padded to a multiple of slot_alignment
//   slot slots[2][blocks]    one slot a block; collective number n uses slots[n % 2]
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../base/config.hpp"

namespace cohort {

/// The memory of one launch for the collectives of its whole grid. cohort::launch_cooperative makes it for a kernel
/// whose first parameter is a grid_workspace, and passes it before the user's arguments. In the kernel
/// cohort::this_grid(workspace) is the group that can reduce, scan, broadcast and vote.
struct grid_workspace {
  /// Alignment of the memory and of the first slot, in bytes.
  static constexpr size_t slot_alignment = 256;
  /// Bytes of a slot in the workspaces that launches make.
  static constexpr uint32_t default_slot_bytes = 256;

  /// Bytes of memory for a grid of `blocks` blocks. The address must be a multiple of slot_alignment.
  COHORT_ANY_SIDE static constexpr size_t bytes_for(uint64_t blocks, uint32_t slot_bytes = default_slot_bytes) {
    return slots_begin(blocks) + 2 * static_cast<size_t>(blocks) * slot_bytes;
  }

  /// Whether the workspace has memory: false for one that no launch made.
  COHORT_ANY_SIDE bool is_valid() const { return memory != nullptr; }

  /// The number of collectives that block `block` has begun.
  COHORT_ANY_SIDE uint32_t& round(uint64_t block) const { return static_cast<uint32_t*>(memory)[block]; }
  /// The slot of block `block` of `blocks` for collectives with an even (parity 0) or odd (parity 1) number.
  COHORT_ANY_SIDE void* slot(uint32_t parity, uint64_t block, uint64_t blocks) const {
    return static_cast<char*>(memory) + slots_begin(blocks) + static_cast<size_t>(parity * blocks + block) * slot_bytes;
  }

  void* memory = nullptr;   ///< the address of the memory
  uint64_t slot_bytes = 0;  ///< bytes of a slot: a multiple of 16, below 65536

 private:
  COHORT_ANY_SIDE static constexpr size_t slots_begin(uint64_t blocks) {
    return (static_cast<size_t>(blocks) * sizeof(uint32_t) + slot_alignment - 1) / slot_alignment * slot_alignment;
  }
};

}  // namespace cohort
