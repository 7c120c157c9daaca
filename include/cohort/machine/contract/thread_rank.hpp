// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rank of a thread in its block, from a machine's positions.
#pragma once

#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace detail {

// Returns the rank of the calling thread in its block: x fastest, then y, then z.
template <class Machine>
COHORT_FN uint32_t block_thread_rank_in() {
  return (Machine::thread_index(2) * Machine::block_dim(1) + Machine::thread_index(1)) * Machine::block_dim(0) +
         Machine::thread_index(0);
}

// Returns the number of threads of the block.
template <class Machine>
COHORT_FN uint32_t block_size_in() {
  return Machine::block_dim(0) * Machine::block_dim(1) * Machine::block_dim(2);
}

}  // namespace detail
}  // namespace cohort
