// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX machine: the operations of this folder, gathered. This folder holds instructions, one family in each file;
// warp/, block/ and grid/ hold the algorithms that are built from them. All inline PTX of the project is here.
#pragma once

#include "barrier.hpp"
#include "block/team_barrier.hpp"
#include "block/team_exchange.hpp"
#include "block/team_reduce.hpp"
#include "block/team_scan.hpp"
#include "convergence.hpp"
#include "copy.hpp"
#include "grid/grid_barrier.hpp"
#include "grid/multi_grid.hpp"
#include "grid/multi_grid_messages.hpp"
#include "grid/split_phase.hpp"
#include "grid/world_memory.hpp"
#include "identity.hpp"
#include "match.hpp"
#include "memory.hpp"
#include "scratch.hpp"
#include "shuffle.hpp"
#include "vote.hpp"
#include "warp/lane_ranks.hpp"
#include "warp/lane_reduce.hpp"
#include "warp/tile.hpp"
#include "warp/tile_reduce.hpp"
#include "warp/tile_scan.hpp"

namespace cohort {
namespace ptx {

struct machine : identity,
                 convergence,
                 barrier,
                 shuffles,
                 vote,
                 match,
                 memory,
                 copy,
                 scratch,
                 lane_ranks,
                 lane_reduce,
                 tile,
                 tile_reduce,
                 tile_scan,
                 team_barrier,
                 team_exchange,
                 team_reduce,
                 team_scan,
                 grid_barrier,
                 multi_grid,
                 multi_grid_messages,
                 world_memory,
                 split_phase {};

}  // namespace ptx
}  // namespace cohort
