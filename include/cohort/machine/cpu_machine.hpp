// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU machine: all operations of cpu/ in one struct.
#pragma once

#include "cpu/barrier.hpp"
#include "cpu/copy.hpp"
#include "cpu/memory.hpp"
#include "cpu/position.hpp"
#include "cpu/rank_arrays.hpp"
#include "cpu/reduce.hpp"
#include "cpu/scan.hpp"
#include "cpu/scratch.hpp"
#include "cpu/team.hpp"
#include "cpu/warp/match.hpp"
#include "cpu/warp/shuffle.hpp"
#include "cpu/warp/tile.hpp"
#include "cpu/warp/vote.hpp"

namespace cohort {
namespace cpu {

struct machine : position,
                 barrier,
                 shuffles,
                 vote,
                 match,
                 reduce,
                 scan,
                 tile,
                 team,
                 scratch,
                 rank_arrays,
                 memory,
                 copy {
  // The reference implementation (reference_lanes.hpp) adds no rendezvous, so it is used.
  static constexpr bool has_lane_ranks = false;
  static constexpr bool has_team_begin = false;
};

}  // namespace cpu
}  // namespace cohort
