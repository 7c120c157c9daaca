// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split-phase barriers (arrive, wait) of all levels.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../contract/concept.hpp"
#include "../barrier.hpp"
#include "../block/team_barrier.hpp"
#include "grid_barrier.hpp"
#include "multi_grid.hpp"

namespace cohort {
namespace ptx {

struct split_phase {
  /// Arrives without waiting and returns the token of the phase. Only barriers beyond a block are split-phase in
  /// hardware; the others synchronise entirely in wait().
  COHORT_FN static uint32_t arrive(barrier_kind kind, const char* /*op_name*/) {
    switch (kind) {
      case barrier_kind::cluster:
        barrier::cluster_arrive();
        return 0;
      case barrier_kind::grid:
        return grid_barrier::grid_arrive();
      case barrier_kind::multi_grid:
        return multi_grid::multi_grid_arrive();
      default:
        return 0;
    }
  }
  COHORT_FN static void wait(barrier_kind kind, uint32_t token, const char* op_name) {
    switch (kind) {
      case barrier_kind::block:
        return barrier::sync_block();
      case barrier_kind::cluster:
        return barrier::cluster_wait();
      case barrier_kind::grid:
        return grid_barrier::grid_wait(token);
      case barrier_kind::multi_grid:
        return multi_grid::multi_grid_wait(token);
      default:
        return team_barrier::sync_team(64u << static_cast<int>(kind), op_name);
    }
  }
};

}  // namespace ptx
}  // namespace cohort
