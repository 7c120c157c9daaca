// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX machine: the families of this folder, gathered. All inline PTX of the project is in this folder.
#pragma once

#include "barrier.hpp"
#include "block/team_exchange.hpp"
#include "block/team_reduce.hpp"
#include "block/team_scan.hpp"
#include "copy.hpp"
#include "grid/multi_grid.hpp"
#include "identity.hpp"
#include "match.hpp"
#include "memory.hpp"
#include "scratch.hpp"
#include "shuffle.hpp"
#include "vote.hpp"
#include "warp/lane_ranks.hpp"
#include "warp/lane_reduce.hpp"
#include "warp/tile.hpp"

namespace cohort {
namespace ptx {

struct machine : identity,
                 barrier,
                 shuffles,
                 vote,
                 match,
                 memory,
                 multi_grid,
                 scratch,
                 copy,
                 lane_ranks,
                 lane_reduce,
                 tile,
                 team,
                 team_reduce,
                 team_scan {};

}  // namespace ptx
}  // namespace cohort
