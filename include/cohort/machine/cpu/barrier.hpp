// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of all levels and their split-phase forms; the lanes that execute together.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "../contract/concept.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct barrier {
  COHORT_FN static void sync_lanes(uint32_t mask, const char* op_name) {
    cohort_wait_warp(mask, nullptr, nullptr, op_name);
  }
  COHORT_FN static uint32_t active_lanes() { return cohort_wait_converged(); }

  COHORT_FN static void sync_block() { cohort_wait_block(); }
  COHORT_FN static uint32_t sync_block_count(bool predicate) { return cohort_wait_block_count(predicate ? 1 : 0); }

  COHORT_FN static void sync_team(uint32_t size, const char* op_name) {
    cohort_wait_team(size, nullptr, nullptr, op_name);
  }

  COHORT_FN static uint32_t arrive(barrier_kind kind, const char* op_name) {
    return cohort_wait_arrive(static_cast<int>(kind), op_name);
  }
  COHORT_FN static void wait(barrier_kind kind, uint32_t token, const char* op_name) {
    cohort_wait_token(static_cast<int>(kind), token, op_name);
  }

  COHORT_FN static void sync_cluster() { cohort_wait_cluster(); }
  COHORT_FN static void sync_grid() { cohort_wait_grid(); }
  COHORT_FN static bool grid_is_valid() { return cohort_grid_is_cooperative() != 0; }
  COHORT_FN static void sync_multi_grid() { cohort_wait_multi_grid(); }

 private:
  static_assert(static_cast<int>(barrier_kind::tile_64) == cohort_barrier_tile_64 &&
                    static_cast<int>(barrier_kind::block) == cohort_barrier_block &&
                    static_cast<int>(barrier_kind::multi_grid) == cohort_barrier_multi_grid &&
                    newest_arrival == COHORT_NEWEST_ARRIVAL,
                "port.hpp and concept.hpp number the barriers alike");
};

}  // namespace cpu
}  // namespace cohort
