// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traits of group types, for the static_asserts of the collectives and for templates of programs.
#pragma once

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../machine/this_machine.hpp"
#include "cluster.hpp"
#include "coalesced.hpp"
#include "grid.hpp"
#include "multi_grid.hpp"
#include "thread_block.hpp"
#include "thread_group.hpp"
#include "tile.hpp"
#include "world.hpp"

namespace cohort {
namespace detail {

template <class>
inline constexpr bool is_tile = false;
template <unsigned int Size, class Parent>
inline constexpr bool is_tile<thread_block_tile<Size, Parent>> = true;

// Threads of a tile; 0 for all other types.
template <class>
inline constexpr unsigned int tile_size = 0;
template <unsigned int Size, class Parent>
inline constexpr unsigned int tile_size<thread_block_tile<Size, Parent>> = Size;

template <class Group, class = void>
inline constexpr bool can_sync = false;
template <class Group>
inline constexpr bool
    can_sync<Group, void_t<decltype(declval<const Group&>().sync()), decltype(declval<const Group&>().thread_rank()),
                           decltype(declval<const Group&>().num_threads())>> = true;

// Calls group.sync(). A group type of the program has no parameter for the line of the call.
template <class Group>
COHORT_FN void sync_group(const Group& group COHORT_AND_CALLED_AT) {
#if COHORT_CHECKS_CALLS
  if constexpr (__is_base_of(thread_group, Group)) return group.sync(COHORT_HAND_ON);
#endif
  group.sync();
}

}  // namespace detail

/// Whether Group is a thread_block_tile, of any size and parent.
template <class Group>
inline constexpr bool is_tile_v = detail::is_tile<detail::remove_cvref_t<Group>>;

/// Whether Group is a thread_block_tile of more than 32 threads.
template <class Group>
inline constexpr bool is_big_tile_v = (detail::tile_size<detail::remove_cvref_t<Group>> > 32);

/// Whether the threads of Group are lanes of one warp: a tile of up to 32 threads or a coalesced_group.
template <class Group>
inline constexpr bool is_warp_group_v =
    (is_tile_v<Group> && !is_big_tile_v<Group>) || detail::is_same_v<detail::remove_cvref_t<Group>, coalesced_group>;

/// Whether Group has sync(), thread_rank() and num_threads().
template <class Group>
inline constexpr bool is_group_v = detail::can_sync<detail::remove_cvref_t<Group>>;

/// Whether the threads of Group belong to one block by its type: a tile, a coalesced_group or a thread_block.
template <class Group>
inline constexpr bool is_block_local_group_v =
    is_warp_group_v<Group> || is_big_tile_v<Group> || detail::is_same_v<detail::remove_cvref_t<Group>, thread_block>;

}  // namespace cohort
