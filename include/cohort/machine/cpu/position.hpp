// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The position of the current thread: indices, extents and its lane.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"
#include "port.hpp"

namespace cohort {
namespace cpu {

struct position {
  static constexpr uint32_t warp_size = 32;
  COHORT_FN static uint32_t thread_index(int axis) { return cohort_thread_index(axis); }
  COHORT_FN static uint32_t block_index(int axis) { return cohort_block_index(axis); }
  COHORT_FN static uint32_t block_dim(int axis) { return cohort_block_dim(axis); }
  COHORT_FN static uint32_t grid_dim(int axis) { return cohort_grid_dim(axis); }
  COHORT_FN static uint32_t cluster_dim(int axis) { return cohort_cluster_dim(axis); }
  COHORT_FN static uint32_t lane() { return cohort_thread_rank() % warp_size; }
};

}  // namespace cpu
}  // namespace cohort
