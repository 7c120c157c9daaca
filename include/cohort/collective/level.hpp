// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At which level a group's threads combine their values: among the lanes of a warp, among the warps of a tile or block,
// or among blocks. What the public collectives share.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"
#include "../base/types.hpp"
#include "../group/concept.hpp"

namespace cohort {
namespace detail {

enum class level { none, lanes, team, blocks };

template <class Group>
COHORT_ANY_SIDE constexpr level find_level() {
  using group = remove_cvref_t<Group>;
  if (is_warp_group_v<group>) return level::lanes;
  if (is_big_tile_v<group> || is_same_v<group, thread_block>) return level::team;
  if (is_one_of_v<group, cluster_group, grid_group, multi_grid_group>) return level::blocks;
  return level::none;
}
template <class Group>
inline constexpr level level_v = find_level<Group>();

// The machine's word for a big tile or a block.
template <class Group>
inline constexpr uint32_t team_size_v = tile_size<remove_cvref_t<Group>>;

}  // namespace detail

// Its threads can exchange values, so that it has all collectives: every group but thread_group, which does not say
// what it is until the kernel runs.
template <class Group>
inline constexpr bool has_collectives_v = detail::level_v<Group> != detail::level::none;

}  // namespace cohort
