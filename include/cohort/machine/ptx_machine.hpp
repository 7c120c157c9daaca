// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX machine: the operations of ptx/, gathered. That folder holds instructions, one family in each file; its
// folders warp/, block/ and grid/ hold the algorithms that are built from them. All inline PTX of the project is there.
#pragma once

#include "ptx/barrier.hpp"
#include "ptx/block/team_barrier.hpp"
#include "ptx/block/team_exchange.hpp"
#include "ptx/block/team_reduce.hpp"
#include "ptx/block/team_scan.hpp"
#include "ptx/convergence.hpp"
#include "ptx/copy.hpp"
#include "ptx/grid/grid_barrier.hpp"
#include "ptx/grid/multi_grid.hpp"
#include "ptx/grid/multi_grid_messages.hpp"
#include "ptx/grid/rank_arrays.hpp"
#include "ptx/grid/split_phase.hpp"
#include "ptx/grid/world_memory.hpp"
#include "ptx/identity.hpp"
#include "ptx/match.hpp"
#include "ptx/memory.hpp"
#include "ptx/scratch.hpp"
#include "ptx/shuffle.hpp"
#include "ptx/vote.hpp"
#include "ptx/warp/lane_ranks.hpp"
#include "ptx/warp/lane_reduce.hpp"
#include "ptx/warp/tile.hpp"
#include "ptx/warp/tile_reduce.hpp"
#include "ptx/warp/tile_scan.hpp"

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
                 rank_arrays,
                 world_memory,
                 split_phase {};

}  // namespace ptx
}  // namespace cohort
