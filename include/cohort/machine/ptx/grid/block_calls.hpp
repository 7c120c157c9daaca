// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of collectives above the block: thread 0 of each block posts its block's call, and compares it with the
// calls of the cluster's other blocks, or of the next block in the grid.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../check/block_board.hpp"
#include "../check/block_table.hpp"
#include "../check/call_record.hpp"
#include "../check/call_rules.hpp"
#include "../check/finding_text.hpp"
#include "../check/thread_calls.hpp"
#include "../check/wait_limit.hpp"
#include "../identity.hpp"
#include "../port.hpp"
#include "multi_grid.hpp"

namespace cohort {
namespace ptx {

struct block_calls {
  /// True if several blocks take part in the call. A barrier that this launch does not support fails later.
  COHORT_FN static bool applies(const call_record& mine) {
    if (mine.scope() == call_scope::grid) return driver_workspace() != 0;
    if (mine.scope() == call_scope::multi_grid) return multi_grid::multi_grid_count() != 0;
    return mine.scope() == call_scope::cluster;
  }

  /// Posts the call of the block, and waits until the other blocks have begun theirs. An arrival does not wait.
  COHORT_FN static void begin(const call_record& mine, const char* file) {
    const uint32_t kind = board_kind(mine);
    uint32_t& count = block_table::count(kind);
    if (mine.call() != checked_call::barrier_wait) ++count;
    if (mine.call() == checked_call::barrier_arrive) return block_board::post(kind, mine.ended(), count);
    block_board::post(kind, mine, count);
    if (mine.scope() == call_scope::cluster) return compare_cluster(mine.counted(count, 0), file);
    const uint32_t blocks = gridDim.x * gridDim.y * gridDim.z;
    compare_block(mine.counted(count, 0), (identity::block_rank() + 1u) % blocks, file);
  }

  COHORT_FN static void end(const call_record& mine) {
    const uint32_t kind = board_kind(mine);
    block_board::post(kind, mine.ended(), block_table::count(kind));
  }

 private:
  COHORT_FN static uint32_t board_kind(const call_record& mine) {
    return mine.scope() == call_scope::cluster ? 0u : 1u;
  }

  COHORT_FN static void compare_cluster(const call_record& mine, const char* file) {
    const index_3d cluster{identity::cluster_dim(0), identity::cluster_dim(1), identity::cluster_dim(2)};
    for (uint32_t rank = 0; rank < cluster.x * cluster.y * cluster.z; ++rank) {
      const index_3d in_cluster = index_of(rank, cluster);
      const uint32_t x = blockIdx.x / cluster.x * cluster.x + in_cluster.x;
      const uint32_t y = blockIdx.y / cluster.y * cluster.y + in_cluster.y;
      const uint32_t z = blockIdx.z / cluster.z * cluster.z + in_cluster.z;
      compare_block(mine, (z * gridDim.y + y) * gridDim.x + x, file);
    }
  }

  /// Waits until a block has arrived, and compares its call.
  COHORT_FN static void compare_block(const call_record& mine, uint32_t block, const char* file) {
    const uint32_t kind = board_kind(mine);
    wait_limit limit;
    for (;;) {
      finding found = look_at_block(mine, block_board::read(kind, block), block, thread_calls::is_strict);
      if (found.kind == failure::none) return;
      if (found.kind != failure::absent_block) check_failure::report(found, mine, file);
      if (limit.is_over()) {
        const call_record elsewhere = block_board::read(1u - kind, block);
        if (elsewhere.is_waiting()) found.others_record = elsewhere;
        check_failure::report(found, mine, file);
      }
      __nanosleep(200);
    }
  }
};

}  // namespace ptx
}  // namespace cohort
