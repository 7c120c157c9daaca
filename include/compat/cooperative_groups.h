// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's <cooperative_groups.h>: the groups under CUDA's names.
#pragma once

#include <cohort/collective/invoke.hpp>
#include <cohort/collective/sync.hpp>
#include <cohort/group/coalesced.hpp>
#include <cohort/group/grid.hpp>
#include <cohort/group/partition.hpp>
#include <cohort/group/thread_block.hpp>
#include <cohort/group/thread_group.hpp>
#include <cohort/group/tile.hpp>

// The macros that sources test.
#define _COOPERATIVE_GROUPS_H_
#define _CG_VERSION 1000
#ifndef _CG_ABI_VERSION
#define _CG_ABI_VERSION 1
#endif

namespace cooperative_groups {

using cohort::coalesced_group;
using cohort::grid_group;
using cohort::thread_block;
using cohort::thread_block_tile;
using cohort::thread_group;

using cohort::coalesced_threads;
using cohort::this_grid;
using cohort::this_thread;
using cohort::this_thread_block;

using cohort::binary_partition;
using cohort::labeled_partition;
using cohort::tiled_partition;

using cohort::group_size;
using cohort::sync;
using cohort::thread_rank;

using cohort::invoke_one;
using cohort::invoke_one_broadcast;

}  // namespace cooperative_groups
