// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's <cooperative_groups.h>: the groups under the names of CUDA 9 to 13.
#pragma once

#include "../cohort/base/user_macros/off.hpp"

#if !defined(__CUDACC__) && !defined(__CUDA__) && (!defined(__cplusplus) || __cplusplus < 201703L)

// A host file in C or an older C++ gets nothing, as from NVIDIA's header. A use of the groups there gives the warning
// of the deprecated namespace.
#if defined(__cplusplus) && (defined(__clang__) || __GNUC__ >= 10)
namespace cooperative_groups __attribute__((deprecated("Cohort needs C++17 or newer: compile with -std=c++17"))) {}
#endif

#else

#if defined(_COOPERATIVE_GROUPS_H_)
#error "NVIDIA's cooperative_groups.h was included before Cohort's: put include/compat before the toolkit's folder"
#endif

#include "../cohort/base/scope.hpp"
#include "../cohort/collective/invoke.hpp"
#include "../cohort/collective/sync.hpp"
#include "../cohort/group/block_tile_memory.hpp"
#include "../cohort/group/cluster.hpp"
#include "../cohort/group/coalesced.hpp"
#include "../cohort/group/grid.hpp"
#include "../cohort/group/multi_grid.hpp"
#include "../cohort/group/partition.hpp"
#include "../cohort/group/thread_block.hpp"
#include "../cohort/group/thread_group.hpp"
#include "../cohort/group/tile.hpp"
#if COHORT_ON_GPU && !defined(__CUDACC_RTC__)
#include "cooperative_groups/multi_device.h"
#endif
// NVIDIA's header includes these, and sources rely on that.
#if !defined(_CG_LIMIT_INCLUDED_DEPENDENCIES)
#if __has_include(<cuda/atomic>)
#include <cuda/atomic>
#endif
#if __has_include(<cuda/std/type_traits>)
#include <cuda/std/type_traits>
#endif
#endif

// The macros that sources test. A user may define _CG_ABI_EXPERIMENTAL, _CG_USER_PROVIDED_SHARED_MEMORY and
// _CG_CLUSTER_INTRINSICS_AVAILABLE without an effect: these features are always on.
#define _COOPERATIVE_GROUPS_H_
#define _CG_VERSION 1000
#ifndef _CG_ABI_VERSION
#define _CG_ABI_VERSION 1
#endif
#define _CG_HAS_CLUSTER_GROUP
#define _CG_HAS_MULTI_GRID_GROUP
#define _CG_HAS_MATCH_COLLECTIVE
#define _CG_CPP11_FEATURES

namespace cooperative_groups {

using cohort::block_tile_memory;
using cohort::cluster_group;
using cohort::coalesced_group;
using cohort::grid_group;
using cohort::multi_grid_group;
using cohort::thread_block;
using cohort::thread_block_tile;
using cohort::thread_group;

using cohort::coalesced_threads;
using cohort::this_cluster;
using cohort::this_grid;
using cohort::this_multi_grid;
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

// CUDA 11 declares tiles above 32 threads here.
namespace experimental {
using cohort::block_tile_memory;
using cohort::this_thread_block;
using cohort::thread_block_tile;
using cohort::tiled_partition;
}  // namespace experimental

}  // namespace cooperative_groups

// CUDA's C++ library declares these names itself where it is on the compiler's path.
#if !defined(COHORT_CUDA_SCOPES) && !__has_include(<cuda/std/__atomic/scopes.h>)
namespace cuda {

using cohort::thread_scope;
using cohort::thread_scope_block;
using cohort::thread_scope_device;
using cohort::thread_scope_system;
using cohort::thread_scope_thread;

}  // namespace cuda
#endif

#endif

#include "../cohort/base/user_macros/on.hpp"
