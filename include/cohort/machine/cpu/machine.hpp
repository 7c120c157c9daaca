// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU machine: all operations of this folder in one struct.
#pragma once

#include "barrier.hpp"
#include "copy.hpp"
#include "match.hpp"
#include "memory.hpp"
#include "position.hpp"
#include "reduce.hpp"
#include "scan.hpp"
#include "scratch.hpp"
#include "shuffle.hpp"
#include "team.hpp"
#include "vote.hpp"

namespace cohort {
namespace cpu {

struct machine : position, barrier, shuffles, vote, match, reduce, scan, team, scratch, memory, copy {
  // These come from reference_lanes.hpp, which adds no rendezvous.
  static constexpr bool has_lane_ranks = false;
  static constexpr bool has_tile = false;
  static constexpr bool has_team_begin = false;
};

}  // namespace cpu
}  // namespace cohort
