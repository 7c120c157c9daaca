// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU machine: all operations of this folder in one struct.
#pragma once

#include "barrier.hpp"
#include "copy.hpp"
#include "memory.hpp"
#include "position.hpp"
#include "reduce.hpp"
#include "scan.hpp"
#include "scratch.hpp"
#include "team.hpp"
#include "warp/match.hpp"
#include "warp/shuffle.hpp"
#include "warp/tile.hpp"
#include "warp/vote.hpp"

namespace cohort {
namespace cpu {

struct machine : position, barrier, shuffles, vote, match, reduce, scan, tile, team, scratch, memory, copy {
  // These come from reference_lanes.hpp, which adds no rendezvous.
  static constexpr bool has_lane_ranks = false;
  static constexpr bool has_team_begin = false;
};

}  // namespace cpu
}  // namespace cohort
