// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy_async, wait, wait_prior: copies that the threads of a group make together, in stages.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../base/bits.hpp"
#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../group/concept.hpp"
#include "../machine/this_machine.hpp"

namespace cohort {

/// A size with the promise that it and both addresses are multiples of Alignment (cuda::aligned_size_t).
template <size_t Alignment>
struct aligned_size_t {
  static_assert(Alignment != 0 && (Alignment & (Alignment - 1)) == 0,
                "aligned_size_t<Alignment>: the alignment must be a power of two");
  static constexpr size_t align = Alignment;  ///< the promised alignment in bytes
  size_t value;                               ///< the size
  /// Makes a promise about a copy of `size` bytes.
  /// @param size a multiple of Alignment, as both addresses of the copy must be
  COHORT_ANY_SIDE explicit constexpr aligned_size_t(size_t size) : value(size) {}
  /// The size as a number.
  COHORT_ANY_SIDE constexpr operator size_t() const { return value; }
};

namespace detail {

// The alignment that a size promises: N for an aligned_size_t<N>, 1 for an integer, 0 for any other type.
template <class Size, class = void>
inline constexpr size_t size_alignment_v = is_integral_v<Size> || __is_enum(Size) ? 1 : 0;
template <class Size>
inline constexpr size_t size_alignment_v<Size, void_t<decltype(Size::align)>> = Size::align;

template <class T>
inline constexpr size_t element_bytes_v = sizeof(T);
template <>
inline constexpr size_t element_bytes_v<void> = 1;

template <class Group, class... Sizes>
COHORT_ANY_SIDE constexpr bool check_copy() {
  static_assert(is_block_local_group_v<Group>,
                "memcpy_async: this group cannot copy: use a thread_block, a tile or a coalesced_group");
  static_assert(((size_alignment_v<Sizes> != 0) && ...),
                "memcpy_async: a size must be an integer or a cuda::aligned_size_t");
  static_assert((((size_alignment_v<Sizes> & (size_alignment_v<Sizes> - 1)) == 0) && ...),
                "memcpy_async: cuda::aligned_size_t<Alignment>: the alignment must be a power of two");
  return true;
}

COHORT_ANY_SIDE constexpr bool is_same_alignment(size_t a, size_t b) { return a <= 1 || b <= 1 || a == b; }

// Number of existing threads of the group.
template <class Group>
COHORT_FN uint32_t copying_threads(const Group& group) {
  if constexpr (is_warp_group_v<Group>) {
    return group_access::lanes(group).count();
  } else if constexpr (is_big_tile_v<Group>) {
    return tile_threads(Group::num_threads());
  } else {
    return group.num_threads();
  }
}

template <class Group>
COHORT_FN void copy_together(const Group& group, void* to, const void* from, size_t bytes, size_t promised) {
  this_machine::copy_share(to, from, bytes, promised, static_cast<uint32_t>(group.thread_rank()),
                           copying_threads(group));
  this_machine::copy_commit();
}

}  // namespace detail

/// Starts a copy of bytes, made by the threads of the group together. One call is one stage.
///
/// The data may be read, and the source overwritten, after wait() or wait_prior(). The CPU copies as late as allowed,
/// so an earlier read returns old bytes. Every byte count and alignment is copied exactly.
/// @param group A thread_block, tile or coalesced_group. No thread of it has returned, and all pass the same arguments.
/// @param to The destination; T may be void.
/// @param from The source, which does not overlap the destination.
/// @param bytes An integer or a cuda::aligned_size_t.
template <class Group, class T, class Size>
COHORT_FN void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  static_assert(detail::check_copy<Group, Size>(), "");
  detail::copy_together(group, to, from, static_cast<size_t>(bytes), detail::size_alignment_v<Size>);
}

/// Starts a copy of elements, made by the threads of the group together: as many as the smaller of the two layouts has.
/// One call is one stage.
///
/// The data may be read, and the source overwritten, after wait() or wait_prior(). The CPU copies as late as allowed,
/// so an earlier read returns old bytes.
/// @param group A thread_block, tile or coalesced_group. No thread of it has returned, and all pass the same arguments.
/// @param to The destination.
/// @param to_layout The number of elements of the destination: an integer or a cuda::aligned_size_t.
/// @param from The source, which does not overlap the destination.
/// @param from_layout The number of elements of the source, of the type of to_layout or an integer.
/// @snippet examples/07_memcpy_pipeline/memcpy_pipeline.cu memcpy_async
template <class Group, class T, class ToLayout, class FromLayout>
COHORT_FN void memcpy_async(const Group& group, T* to, const ToLayout& to_layout, const T* from,
                            const FromLayout& from_layout) {
  static_assert(detail::check_copy<Group, ToLayout, FromLayout>(), "");
  static_assert(detail::is_same_alignment(detail::size_alignment_v<ToLayout>, detail::size_alignment_v<FromLayout>),
                "memcpy_async: both layouts must have the same alignment");
  const size_t to_count = static_cast<size_t>(to_layout);
  const size_t from_count = static_cast<size_t>(from_layout);
  detail::copy_together(group, to, from, (to_count < from_count ? to_count : from_count) * detail::element_bytes_v<T>,
                        detail::size_alignment_v<ToLayout>);
}

/// Waits until all but the latest `Stages` stages of the group are copied, and synchronises the group.
/// @tparam Stages The number of memcpy_async() calls that may remain incomplete.
/// @param group The group whose threads have called memcpy_async().
/// @pre All threads of the group call it.
template <unsigned int Stages, class Group>
COHORT_FN void wait_prior(const Group& group COHORT_AND_CALLED_AT) {
  static_assert(is_group_v<Group>, "wait_prior: the argument is not a group");
  this_machine::copy_wait_prior<Stages>();
  detail::sync_group(group COHORT_AND_HAND_ON);
}

/// Waits until all stages of the group are copied, and synchronises the group.
/// @param group The group whose threads have called memcpy_async().
/// @pre All threads of the group call it.
template <class Group>
COHORT_FN void wait(const Group& group COHORT_AND_CALLED_AT) {
  static_assert(is_group_v<Group>, "wait: the argument is not a group");
  wait_prior<0>(group COHORT_AND_HAND_ON);
}

}  // namespace cohort
