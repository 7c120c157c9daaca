// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// coalesced_group: any threads of one warp.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/lane_mask.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "lane_group.hpp"

namespace cohort {

/// Any threads of one warp, ranked in the order of their lanes. A partition or coalesced_threads() makes it.
class coalesced_group : public detail::lane_group<coalesced_group> {
  using base = detail::lane_group<coalesced_group>;
  friend base;

 public:
  /// Waits until all threads of the group have arrived. Orders their memory accesses.
  COHORT_FN void sync(COHORT_CALLED_AT) const {
    COHORT_CHECKED_CALL(sync, lanes, lanes_);
    this_machine::sync_lanes(lanes_, "coalesced_group::sync");
  }

  /// Number of threads of the group.
  COHORT_FN unsigned int num_threads() const { return size_; }
  /// Number of threads of the group (CUDA's older name).
  COHORT_FN unsigned int size() const { return size_; }
  /// The rank of the calling thread.
  COHORT_FN unsigned int thread_rank() const { return this_machine::rank_in(lanes_); }

  /// The value of the thread with rank `rank` modulo the size of the group; -1 is the last thread. Each thread may name
  /// another rank. If that thread does not exist or has returned, the result is zero bytes on the CPU and undefined on
  /// a GPU (docs/gpu.md). Cost on the CPU: one rendezvous.
  template <class T>
  COHORT_FN detail::remove_cvref_t<T> shfl(T&& value, int rank COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl, lanes, lanes_);
    return exchange(value, this_machine::lane_at(lanes_, size_, rank), "shfl");
  }

  /// The value of the thread `delta` ranks above, or the caller's value if that rank does not exist.
  template <class T>
  COHORT_FN detail::remove_cvref_t<T> shfl_down(T&& value, unsigned int delta COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_down, lanes, lanes_);
    const uint32_t rank = thread_rank();
    return exchange(value, this_machine::lane_of(lanes_, delta < size_ - rank ? rank + delta : rank), "shfl_down");
  }

  /// The value of the thread `delta` ranks below, or the caller's value if that rank does not exist.
  template <class T>
  COHORT_FN detail::remove_cvref_t<T> shfl_up(T&& value, unsigned int delta COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_up, lanes, lanes_);
    const uint32_t rank = thread_rank();
    return exchange(value, this_machine::lane_of(lanes_, delta <= rank ? rank - delta : rank), "shfl_up");
  }

  /// The value of the thread with rank (own rank ^ mask), or the caller's value if there is none.
  template <class T>
  COHORT_FN detail::remove_cvref_t<T> shfl_xor(T&& value, unsigned int mask COHORT_AND_CALLED_AT) const {
    COHORT_CHECKED_CALL(shfl_xor, lanes, lanes_);
    const uint32_t rank = thread_rank();
    return exchange(value, this_machine::lane_of(lanes_, (rank ^ mask) < size_ ? rank ^ mask : rank), "shfl_xor");
  }

  /// The number of this group among those of the partition; 0 for coalesced_threads().
  COHORT_FN unsigned int meta_group_rank() const { return meta_rank_; }
  /// The number of groups that the partition made; 1 for coalesced_threads().
  COHORT_FN unsigned int meta_group_size() const { return meta_size_; }

 private:
  friend struct detail::group_access;
  COHORT_FN coalesced_group(lane_mask lanes, uint32_t meta_rank, uint32_t meta_size)
      : base(lanes, lanes.count(), meta_rank, meta_size) {}

  static constexpr bool is_single = false;
  COHORT_FN uint32_t mask() const { return lanes_; }
  COHORT_FN uint32_t to_ranks(uint32_t lanes) const { return this_machine::to_ranks(lanes_, lanes); }
  COHORT_FN uint32_t ballot_ranks(bool predicate, const char* op_name) const {
    return this_machine::ballot_ranks(lanes_, thread_rank(), predicate, op_name);
  }
  // Returns the value of `lane`. pre: it is a lane of the group
  template <class T>
  COHORT_FN detail::remove_cvref_t<T> exchange(T&& value, uint32_t lane, const char* op_name) const {
    const detail::remove_cvref_t<T> own = detail::shuffle_operand(value);
    return this_machine::shuffle_member(lanes_, own, lane, op_name);
  }
};

/// The threads of the warp that execute together with the caller, at least the caller. The CPU waits until no other
/// lane of the warp can run; the group contains the lanes that have reached this call by then. A GPU may return fewer
/// lanes.
/// @snippet examples/03_aggregated_atomics/aggregated_atomics.cu coalesced_threads
COHORT_FN coalesced_group coalesced_threads() {
  return detail::group_access::make<coalesced_group>(lane_mask(this_machine::active_lanes()), 0u, 1u);
}

}  // namespace cohort
