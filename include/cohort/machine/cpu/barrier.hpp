// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of lanes, of a block and of a grid; the lanes that run together.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct barrier {
  COHORT_FN static void sync_lanes(uint32_t mask, const char* what) { cohort_wait_warp(mask, nullptr, nullptr, what); }
  COHORT_FN static uint32_t active_lanes() { return cohort_wait_converged(); }

  COHORT_FN static void sync_block() { cohort_wait_block(); }
  COHORT_FN static uint32_t sync_block_count(bool predicate) { return cohort_wait_block_count(predicate ? 1 : 0); }

  COHORT_FN static void sync_grid() { cohort_wait_grid(); }
  COHORT_FN static bool grid_is_valid() { return cohort_grid_is_cooperative() != 0; }
};

}  // namespace cpu
}  // namespace cohort
