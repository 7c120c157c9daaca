// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel side of the library: groups and collectives. Host code that launches includes <cohort/launch.hpp>, too.
#pragma once

#include "base/user_macros/off.hpp"

#include "base/dim3.hpp"
#include "base/op.hpp"
#include "base/scope.hpp"
#include "collective/broadcast.hpp"
#include "collective/invoke.hpp"
#include "collective/memcpy_async.hpp"
#include "collective/put.hpp"
#include "collective/rank_arrays.hpp"
#include "collective/reduce.hpp"
#include "collective/scan.hpp"
#include "collective/sync.hpp"
#include "collective/update.hpp"
#include "collective/vote.hpp"
#include "group/block_tile_memory.hpp"
#include "group/cluster.hpp"
#include "group/coalesced.hpp"
#include "group/concept.hpp"
#include "group/grid.hpp"
#include "group/grid_workspace.hpp"
#include "group/multi_grid.hpp"
#include "group/partition.hpp"
#include "group/thread_block.hpp"
#include "group/thread_group.hpp"
#include "group/tile.hpp"
#include "group/world.hpp"

#include "base/user_macros/on.hpp"
