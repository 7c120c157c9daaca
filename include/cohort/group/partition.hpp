// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions of a group into smaller ones. All threads of the parent group call them.
#pragma once

#include <stdint.h>

#include "../base/bits.hpp"
#include "../base/config.hpp"
#include "../base/lane_mask.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "concept.hpp"

namespace cohort {
namespace detail {

template <unsigned int Size, class Parent>
struct static_partition {
  static_assert(always_false_v<Parent>,
                "tiled_partition<Size> cuts a thread_block or a larger tile: for other groups use "
                "tiled_partition(group, size), labeled_partition or binary_partition");
};
template <unsigned int Size>
struct static_partition<Size, thread_block> {
  using type = thread_block_tile<Size, thread_block>;
};
template <unsigned int Size, unsigned int ParentSize, class Parent>
struct static_partition<Size, thread_block_tile<ParentSize, Parent>> {
  static_assert(Size < ParentSize, "tiled_partition<Size> of a tile: Size must be smaller than the tile that is cut");
  using type = thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>;
};

COHORT_FN void check_dynamic_size(unsigned int size) {
  if (!is_power_of_two(size) || size > warp_size) {
    this_machine::fail("tiled_partition(group, size): the size must be 1, 2, 4, 8, 16 or 32");
  }
}

// The caller's tile of `size` threads with consecutive ranks in `parent`; the last tile may be partial.
template <class Result>
COHORT_FN Result partition_lanes(lane_mask parent, unsigned int size) {
  check_dynamic_size(size);
  const uint32_t index = this_machine::rank_in(parent.bits) / size;
  const uint32_t count = parent.count();
  const uint32_t first = index * size;
  // The members with ranks `first` to `first + size - 1`, as far as the parent has them.
  uint32_t lanes = parent.bits & ~(low_bits(this_machine::lane_of(parent.bits, first)));
  if (count - first > size) lanes &= low_bits(this_machine::lane_of(parent.bits, first + size));
  return group_access::make<Result>(lane_mask(lanes), index, divide_up(count, size));
}

// The caller's tile of `size` threads in a parent of `parent_size` adjacent threads of the block; tile and parent may
// be partial.
COHORT_FN coalesced_group partition_block(uint32_t parent_size, unsigned int size) {
  check_dynamic_size(size);
  const uint32_t rank = block_thread_rank();
  const uint32_t first_rank = rank - rank % size;
  const uint32_t left = block_size() - first_rank;
  const lane_mask lanes(low_bits(left < size ? left : size) << (first_rank % warp_size));
  const uint32_t rank_in_parent = rank % parent_size;
  const uint32_t left_in_parent = block_size() - (rank - rank_in_parent);
  const uint32_t threads = left_in_parent < parent_size ? left_in_parent : parent_size;
  return group_access::make<coalesced_group>(lanes, rank_in_parent / size, divide_up(threads, size));
}

// Prepares tiles of Size threads. The check of the call covers only tiles for which the machine waits.
template <unsigned int Size, class Parent>
COHORT_FN void begin_teams([[maybe_unused]] const Parent& parent COHORT_AND_CALLED_AT) {
#if COHORT_CHECKS_CALLS
  if (!ptx::team_barrier::is_warp_pair(Size)) return;
#endif
  COHORT_CHECKED_CALL_OF(tiled_partition, group_access::checked(parent));
  this_machine::begin_teams(Size, tile_size<Parent>);
}

template <class Label>
COHORT_ANY_SIDE constexpr bool check_label() {
  static_assert(is_integral_v<Label> || is_pointer_v<Label>,
                "labeled_partition: the label must be an integer or a pointer");
  return true;
}

// Groups of equal labels, numbered in the order of their lowest lanes.
template <class Parent, class Label>
COHORT_FN coalesced_group by_label(const Parent& parent, Label label) {
  using word = typename conditional<sizeof(Label) == 8, uint64_t, uint32_t>::type;
  word bits = 0;
  COHORT_COPY_BYTES(&bits, &label, sizeof(Label));
  const lane_mask mine(this_machine::match_any(group_access::mask(parent), bits, "labeled_partition"));
  const bool leads = mine.first() == this_machine::lane();
  const lane_mask leaders(this_machine::ballot(group_access::mask(parent), leads, "labeled_partition"));
  return group_access::make<coalesced_group>(mine, leaders.rank_of(mine.first()), leaders.count());
}

// The threads with an equal predicate: false is group 0, true is group 1. If all agree there is one group.
template <class Parent>
COHORT_FN coalesced_group by_predicate(const Parent& parent, bool predicate) {
  const uint32_t lanes = group_access::lanes(parent).bits;
  const uint32_t yes = this_machine::ballot(group_access::mask(parent), predicate, "binary_partition");
  const bool agreed = yes == 0 || yes == lanes;
  return group_access::make<coalesced_group>(lane_mask(predicate ? yes : lanes & ~yes), predicate && !agreed ? 1u : 0u,
                                             agreed ? 1u : 2u);
}

}  // namespace detail

/// Divides a thread_block or a larger tile into tiles of `Size` adjacent threads. It does not wait, with one exception:
/// on a GPU, tiles of 64 threads in a block of more than 512 threads. For these, all threads of the parent must call
/// it, and it may wait for them.
/// @tparam Size 1, 2, 4 .. 1024; smaller than the parent if that is a tile.
/// @return The caller's tile. The last one may be partial.
/// @snippet examples/02_five_identities/five_identities.cu tiled_partition
template <unsigned int Size, class Parent>
COHORT_FN typename detail::static_partition<Size, Parent>::type tiled_partition(
    [[maybe_unused]] const Parent& parent COHORT_AND_CALLED_AT) {
  if constexpr (Size > warp_size) detail::begin_teams<Size>(parent COHORT_AND_HAND_ON);
  return detail::group_access::make<typename detail::static_partition<Size, Parent>::type>();
}

/// Divides a coalesced group into tiles of `size` threads with consecutive ranks. It does not wait. The last tile has
/// the rest of the threads.
/// @param size 1, 2, 4, 8, 16 or 32; any other size fails the launch.
COHORT_FN coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  return detail::partition_lanes<coalesced_group>(detail::group_access::lanes(parent), size);
}
/// Divides the block into tiles of `size` threads with consecutive ranks. It does not wait.
/// @param size 1, 2, 4, 8, 16 or 32; any other size fails the launch.
COHORT_FN thread_group tiled_partition(const thread_block&, unsigned int size) {
  return detail::partition_block(detail::block_size(), size);
}
/// Divides a block, tile or coalesced group, given as a thread_group, into tiles of `size` threads. It does not wait. A
/// parent that spans blocks fails the launch.
/// @param size 1, 2, 4, 8, 16 or 32; any other size fails the launch.
COHORT_FN thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  switch (detail::group_access::kind(parent)) {
    case detail::kind_coalesced:
      return detail::partition_lanes<coalesced_group>(detail::group_access::lanes(parent), size);
    case detail::kind_thread_block:
      return detail::partition_block(detail::block_size(), size);
    case detail::kind_big_tile:
      return detail::partition_block(detail::group_access::size(parent), size);
    case detail::kind_cluster:
      this_machine::fail("tiled_partition: a cluster cannot be cut into tiles: cut this_thread_block()");
      return parent;
    case detail::kind_multi_grid:
      this_machine::fail("tiled_partition: a multi-grid cannot be cut into tiles: cut this_thread_block()");
      return parent;
    default:
      this_machine::fail("tiled_partition: a grid cannot be cut into tiles: cut this_thread_block()");
      return parent;
  }
}
// A group that spans blocks cannot be divided into tiles: divide this_thread_block().
COHORT_DEVICE thread_group tiled_partition(const cluster_group& parent, unsigned int size) = delete;
COHORT_DEVICE thread_group tiled_partition(const grid_group& parent, unsigned int size) = delete;
COHORT_DEVICE thread_group tiled_partition(const multi_grid_group& parent, unsigned int size) = delete;

/// Divides a coalesced group into groups of equal labels, numbered in the order of their lowest threads.
/// @param label An integer or a pointer. With a bool it is binary_partition().
/// @snippet examples/08_partitions/partitions.cu partitions
template <class Label>
COHORT_FN coalesced_group labeled_partition(const coalesced_group& parent, Label label COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(labeled_partition, detail::group_access::checked(parent));
  static_assert(detail::check_label<Label>(), "");
  if constexpr (detail::is_same_v<Label, bool>) {
    return detail::by_predicate(parent, label);
  } else {
    return detail::by_label(parent, label);
  }
}
/// Divides a tile of up to 32 threads into groups of equal labels, numbered in the order of their lowest threads.
/// @param label An integer or a pointer. With a bool it is binary_partition().
template <class Label, unsigned int Size, class Parent>
COHORT_FN coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& parent,
                                            Label label COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(labeled_partition, detail::group_access::checked(parent));
  static_assert(Size <= warp_size,
                "labeled_partition: a coalesced_group lies in one warp, so it is made of a tile of up to 32 threads");
  static_assert(detail::check_label<Label>(), "");
  if constexpr (detail::is_same_v<Label, bool>) {
    return detail::by_predicate(parent, label);
  } else {
    return detail::by_label(parent, label);
  }
}

/// Divides a coalesced group by a predicate: threads with false are group 0, threads with true are group 1. If all
/// agree there is one group, with number 0.
COHORT_FN coalesced_group binary_partition(const coalesced_group& parent, bool predicate COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(binary_partition, detail::group_access::checked(parent));
  return detail::by_predicate(parent, predicate);
}
/// Divides a tile of up to 32 threads by a predicate: threads with false are group 0, threads with true are group 1.
/// If all agree there is one group, with number 0.
template <unsigned int Size, class Parent>
COHORT_FN coalesced_group binary_partition(const thread_block_tile<Size, Parent>& parent,
                                           bool predicate COHORT_AND_CALLED_AT) {
  COHORT_CHECKED_CALL_OF(binary_partition, detail::group_access::checked(parent));
  static_assert(Size <= warp_size,
                "binary_partition: a coalesced_group lies in one warp, so it is made of a tile of up to 32 threads");
  return detail::by_predicate(parent, predicate);
}

}  // namespace cohort
