// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid.hpp"

namespace cohort::engine {

uint64_t grid::block_of_cluster(uint64_t number, uint32_t rank) const {
  uint64_t block = 0;
  uint64_t stride = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const uint64_t along = launch->grid[axis] / cluster[axis];
    block += (number % along * cluster[axis] + rank % cluster[axis]) * stride;
    number /= along;
    rank /= cluster[axis];
    stride *= launch->grid[axis];
  }
  return block;
}

}  // namespace cohort::engine
