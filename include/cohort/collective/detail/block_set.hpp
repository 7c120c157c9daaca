// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_set: the blocks of a cluster, of a grid, of a multi-grid or of a world, with a slot for each block's value and
// the barrier. docs/design/workspace.md describes the memory.
//
//   rank(), count()      the rank of the calling thread's block, and the number of blocks
//   blocks_per_grid()    the number of blocks that are combined first: those of one grid, or all
//   round()              the number of rounds that the block has begun; it is equal in all blocks of the set
//   slot(parity, block)  slot_bytes of memory; rounds with an even number use parity 0
//   sync()               barrier of all threads of all blocks
//   kind                 the kind of this barrier
//   is_kept              the memory is zero when the launch begins, and outlives the blocks; round() needs it
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"
#include "../../group/concept.hpp"
#include "../../machine/this_machine.hpp"

namespace cohort {
namespace detail {

inline constexpr size_t slot_bytes = grid_workspace::default_slot_bytes;

// The memory of one block of a cluster or of a multi-grid: the number of rounds, then two slots.
inline constexpr size_t rounds_bytes = 64;
inline constexpr size_t block_scratch_bytes = rounds_bytes + 2 * slot_bytes;
static_assert(block_scratch_bytes <= cluster_scratch_bytes, "a block's scratch memory holds its rounds and slots");

COHORT_FN void* slot_of_scratch(void* scratch, uint32_t parity) {
  return static_cast<char*>(scratch) + rounds_bytes + parity * slot_bytes;
}

template <class Group>
class block_set;

template <>
class block_set<cluster_group> {
 public:
  static constexpr barrier_kind kind = barrier_kind::cluster;
  static constexpr bool is_kept = this_machine::keeps_cluster_scratch;
  static constexpr bool has_copies = false;
  static constexpr bool has_put = false;
  static constexpr bool has_messages = false;
  COHORT_FN explicit block_set(const cluster_group&) {}
  COHORT_FN static uint64_t rank() { return cluster_block_rank(); }
  COHORT_FN static uint64_t count() { return cluster_num_blocks(); }
  COHORT_FN static uint64_t blocks_per_grid() { return count(); }
  COHORT_FN static uint32_t& round() {
    return *static_cast<uint32_t*>(this_machine::cluster_scratch(cluster_block_rank()));
  }
  COHORT_FN static void* slot(uint32_t parity, uint64_t block) {
    return slot_of_scratch(this_machine::cluster_scratch(static_cast<uint32_t>(block)), parity);
  }
  COHORT_FN static void sync() { this_machine::sync_cluster(); }
};

template <>
class block_set<grid_group> {
 public:
  static constexpr barrier_kind kind = barrier_kind::grid;
  static constexpr bool is_kept = true;
  static constexpr bool has_copies = false;
  static constexpr bool has_put = false;
  static constexpr bool has_messages = false;
  COHORT_FN explicit block_set(const grid_group& grid) : workspace_(group_access::workspace(grid)) {
    if (!workspace_.is_valid() || workspace_.slot_bytes < slot_bytes) {
      this_machine::fail(
          "a collective of grid_group without a workspace: launch with cohort::launch_cooperative a kernel whose first "
          "parameter is a cohort::grid_workspace, and make the group with this_grid(workspace)");
    }
  }
  COHORT_FN static uint64_t rank() { return grid_block_rank(); }
  COHORT_FN static uint64_t count() { return grid_num_blocks(); }
  COHORT_FN static uint64_t blocks_per_grid() { return count(); }
  COHORT_FN uint32_t& round() const { return workspace_.round(rank()); }
  COHORT_FN void* slot(uint32_t parity, uint64_t block) const { return workspace_.slot(parity, block, count()); }
  COHORT_FN static void sync() { this_machine::sync_grid(); }

 private:
  grid_workspace workspace_;
};

template <>
class block_set<multi_grid_group> {
 public:
  static constexpr barrier_kind kind = barrier_kind::multi_grid;
  static constexpr bool is_kept = true;
  COHORT_FN explicit block_set(const multi_grid_group&) {}
  COHORT_FN static uint64_t rank() { return this_machine::multi_grid_rank() * grid_num_blocks() + grid_block_rank(); }
  COHORT_FN static uint64_t count() { return this_machine::multi_grid_count() * grid_num_blocks(); }
  COHORT_FN static uint64_t blocks_per_grid() { return grid_num_blocks(); }
  COHORT_FN static uint32_t& round() {
    return *static_cast<uint32_t*>(scratch(this_machine::multi_grid_rank(), rank()));
  }
  // Each grid has a copy of all slots. A block writes to all copies and reads the copy of its own grid.
  static constexpr bool has_copies = true;
  COHORT_FN static uint32_t copies() { return this_machine::multi_grid_count(); }
  COHORT_FN static void* slot_of_copy(uint32_t copy, uint32_t parity, uint64_t block) {
    return slot_of_scratch(scratch(copy, block), parity);
  }
  COHORT_FN static void* slot(uint32_t parity, uint64_t block) {
    return slot_of_copy(this_machine::multi_grid_rank(), parity, block);
  }
  // Copies `bytes` bytes to the slot in each grid's copy, if the machine has no pointers to the copies. A template,
  // because other machines lack the operation.
  static constexpr bool has_put = this_machine::has_multi_grid_put;
  static constexpr bool has_messages = this_machine::has_multi_grid_messages;
  static constexpr bool orders_memory = false;
  template <class Machine = this_machine>
  COHORT_FN static void put(uint32_t parity, uint64_t block, const void* from, size_t bytes) {
    const size_t offset = static_cast<size_t>(block) * block_scratch_bytes + rounds_bytes + parity * slot_bytes;
    Machine::multi_grid_put(block_scratch_bytes, offset, from, bytes);
  }
  COHORT_FN static void sync() { this_machine::sync_multi_grid(); }

 private:
  COHORT_FN static void* scratch(uint32_t grid, uint64_t block) {
    return static_cast<char*>(this_machine::multi_grid_scratch(grid, block_scratch_bytes)) +
           block * block_scratch_bytes;
  }
};

// A machine runs the ranks of a world as the grids of a multi-grid.
template <>
class block_set<world_group> : public block_set<multi_grid_group> {
 public:
  static constexpr bool orders_memory = true;  // a collective completes the puts before it
  COHORT_FN explicit block_set(const world_group&) : block_set<multi_grid_group>(this_multi_grid()) {}
};

}  // namespace detail
}  // namespace cohort
