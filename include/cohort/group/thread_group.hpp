// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_group: any group, through the interface that all groups have.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/lane_mask.hpp"
#include "../base/scope.hpp"
#include "../machine/this_machine.hpp"
#include "grid_workspace.hpp"
#include "mapping.hpp"

namespace cohort {

namespace detail {

// The kinds of groups; the values are those that CUDA's get_type() returns.
enum group_kind : uint32_t {
  kind_coalesced = 1,  // lanes of one warp: coalesced groups and tiles of up to 32 threads
  kind_multi_grid = 2,
  kind_grid = 3,
  kind_thread_block = 4,
  kind_big_tile = 5,  // tiles of more than 32 threads
  kind_cluster = 6,
};

struct group_access;

#if COHORT_CHECKS_CALLS
// A group in the form that the check of a call takes.
// @param members the lanes of a coalesced group; the threads of a tile
COHORT_FN ptx::call_group checked_group(uint32_t kind, uint32_t members) {
  switch (kind) {
    case kind_coalesced:
      return {ptx::call_scope::lanes, members};
    case kind_big_tile:
      return {ptx::call_scope::team, members};
    case kind_thread_block:
      return {ptx::call_scope::block, 0};
    case kind_cluster:
      return {ptx::call_scope::cluster, 0};
    case kind_multi_grid:
      return {ptx::call_scope::multi_grid, 0};
    default:
      return {ptx::call_scope::grid, 0};
  }
}
#endif

}  // namespace detail

/// Any group, through the interface that all groups have. It is the base of every group type. A group that is passed as
/// `const thread_group&` or copied into a thread_group keeps its size, rank, barrier and validity.
class thread_group {
 public:
  /// The scope of the barrier of any group of one device.
  static constexpr cohort::thread_scope thread_scope = thread_scope_device;

  /// Number of threads of the group.
  COHORT_FN unsigned long long num_threads() const {
    switch (kind_) {
      case detail::kind_coalesced:
      case detail::kind_big_tile:
        return size_;
      case detail::kind_thread_block:
        return detail::block_size();
      case detail::kind_cluster:
        return detail::cluster_size();
      case detail::kind_multi_grid:
        return detail::multi_grid_size();
      default:
        return detail::grid_size();
    }
  }
  /// Number of threads of the group (CUDA's older name).
  COHORT_FN unsigned long long size() const { return num_threads(); }

  /// The rank of the calling thread: 0 .. num_threads() - 1.
  COHORT_FN unsigned long long thread_rank() const {
    switch (kind_) {
      case detail::kind_coalesced:
        return this_machine::rank_in(lanes_);
      case detail::kind_big_tile:
        return detail::block_thread_rank() % size_;
      case detail::kind_thread_block:
        return detail::block_thread_rank();
      case detail::kind_cluster:
        return detail::cluster_thread_rank();
      case detail::kind_multi_grid:
        return detail::multi_grid_thread_rank();
      default:
        return detail::grid_thread_rank();
    }
  }

  /// Waits until all threads of the group have arrived. All of them must call it.
  COHORT_FN void sync(COHORT_CALLED_AT) const {
    COHORT_CHECKED_CALL_OF(sync, detail::checked_group(kind_, kind_ == detail::kind_coalesced ? lanes_ : size_));
    switch (kind_) {
      case detail::kind_coalesced:
        return this_machine::sync_lanes(lanes_, "thread_group::sync");
      case detail::kind_big_tile:
        return this_machine::sync_team(size_, "thread_group::sync");
      case detail::kind_thread_block:
        return this_machine::sync_block();
      case detail::kind_cluster:
        return this_machine::sync_cluster();
      case detail::kind_multi_grid:
        return this_machine::sync_multi_grid();
      default:
        return this_machine::sync_grid();
    }
  }

  /// Whether the group can synchronise. False only for a grid of a launch that is not cooperative, and for a multi-grid
  /// outside of a multi-device launch.
  COHORT_FN bool is_valid() const {
    switch (kind_) {
      case detail::kind_grid:
        return this_machine::grid_is_valid();
      case detail::kind_multi_grid:
        return this_machine::multi_grid_count() != 0;
      default:
        return true;
    }
  }

  /// CUDA's number of the kind of group.
  COHORT_FN unsigned int get_type() const { return kind_; }

 protected:
  friend struct detail::group_access;

  COHORT_FN explicit thread_group(detail::group_kind kind) : kind_(static_cast<uint16_t>(kind)) {}
  COHORT_FN thread_group(lane_mask lanes, uint32_t size, uint32_t meta_rank, uint32_t meta_size)
      : kind_(detail::kind_coalesced),
        size_(static_cast<uint16_t>(size)),
        lanes_(lanes.bits),
        meta_rank_(meta_rank),
        meta_size_(meta_size) {}
  COHORT_FN thread_group(detail::group_kind kind, uint32_t size, uint32_t meta_rank, uint32_t meta_size)
      : kind_(static_cast<uint16_t>(kind)),
        size_(static_cast<uint16_t>(size)),
        meta_rank_(meta_rank),
        meta_size_(meta_size) {}

  // A handle has 16 bytes. Groups above a tile use only kind_; a grid with a workspace stores it in the other members.
  uint16_t kind_;
  uint16_t size_ = 0;       // num_threads()
  uint32_t lanes_ = 0;      // the existing lanes: fewer than size_ in a partial tile
  uint32_t meta_rank_ = 0;  // the number of this group among those of the partition
  uint32_t meta_size_ = 1;  // the number of groups of the partition
};

namespace detail {

// The library's access to the private parts of a handle: makes groups, and reads their lanes and a grid's workspace.
struct group_access {
  template <class Group, class... Arguments>
  COHORT_FN static Group make(Arguments... arguments) {
    return Group(arguments...);
  }
  COHORT_FN static lane_mask lanes(const thread_group& group) { return lane_mask(group.lanes_); }
  // The group's lanes, for the machine's operations. pre: a tile of up to 32 threads or a coalesced group
  template <class Group>
  COHORT_FN static uint32_t mask(const Group& group) {
    return group.mask();
  }
  COHORT_FN static group_kind kind(const thread_group& group) { return static_cast<group_kind>(group.kind_); }
  COHORT_FN static uint32_t size(const thread_group& group) { return group.size_; }
#if COHORT_CHECKS_CALLS
  COHORT_FN static ptx::call_group checked(const thread_group& group) {
    return checked_group(group.kind_, group.kind_ == kind_coalesced ? group.lanes_ : group.size_);
  }
#endif
  // The workspace of a grid. pre: the group was made by this_grid(workspace), not this_grid()
  COHORT_FN static grid_workspace workspace(const thread_group& group) {
    grid_workspace found;
    found.memory = reinterpret_cast<void*>(static_cast<uint64_t>(group.meta_size_) << 32 | group.meta_rank_);
    found.slot_bytes = group.size_;
    return found;
  }
};

}  // namespace detail
}  // namespace cohort
