// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX machine: the families of this folder, gathered. All inline PTX of the project is in this folder.
#pragma once

#include "barrier.hpp"
#include "copy.hpp"
#include "identity.hpp"
#include "match.hpp"
#include "memory.hpp"
#include "multi_grid.hpp"
#include "scratch.hpp"
#include "shuffle.hpp"
#include "team.hpp"
#include "vote.hpp"

namespace cohort {
namespace ptx {

struct machine : identity, barrier, shuffles, vote, match, memory, multi_grid, scratch, copy, team {
  // From derive.hpp.
  static constexpr bool has_lane_reduce = false;
  static constexpr bool has_lane_scan = false;
  static constexpr bool has_team_count = false;
  static constexpr bool has_team_reduce = false;
  static constexpr bool has_team_scan = false;
};

}  // namespace ptx
}  // namespace cohort
