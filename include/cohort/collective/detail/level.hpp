// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The level at which a group's threads combine their values: the lanes of a warp, the warps of a tile or block, or
// blocks.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../../base/types.hpp"
#include "../../group/concept.hpp"

namespace cohort {
namespace detail {

enum class level { none, lanes, team, blocks };

template <class Group>
COHORT_ANY_SIDE constexpr level find_level() {
  using group = remove_cvref_t<Group>;
  if (is_warp_group_v<group>) return level::lanes;
  if (is_big_tile_v<group> || is_same_v<group, thread_block>) return level::team;
  if (is_one_of_v<group, cluster_group, grid_group, multi_grid_group, world_group>) return level::blocks;
  return level::none;
}
template <class Group>
inline constexpr level level_v = find_level<Group>();

// The team size of a tile above 32 threads or of a block, for the machine's operations.
template <class Group>
inline constexpr uint32_t team_size_v = tile_size<remove_cvref_t<Group>>;

}  // namespace detail

/// Whether the threads of Group can exchange values, which all collectives except sync and invoke_one need. True for
/// every group except thread_group, whose kind is known only at run time.
template <class Group>
inline constexpr bool has_collectives_v = detail::level_v<Group> != detail::level::none;

}  // namespace cohort
