// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX machine: the families of this folder, gathered. All inline PTX of the project is in this folder.
#pragma once

#include "barrier.hpp"
#include "copy.hpp"
#include "identity.hpp"
#include "lane_ranks.hpp"
#include "lane_reduce.hpp"
#include "match.hpp"
#include "memory.hpp"
#include "multi_grid.hpp"
#include "scratch.hpp"
#include "shuffle.hpp"
#include "team.hpp"
#include "team_reduce.hpp"
#include "team_scan.hpp"
#include "tile.hpp"
#include "vote.hpp"

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
