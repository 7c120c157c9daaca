// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the threads of a block wait, and which arrivals no wait has followed yet: what --check=sync compares.
#pragma once

#include <cohort/machine/cpu/port.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace cohort::check {

// The group of a wait. The compiler's plugin passes these numbers.
enum class wait_kind : uint8_t { warp, tile, block, cluster, grid, multi_grid };

struct thread_wait {
  uint64_t call = 0;            // number of the call in the source; 0: the thread does not wait
  const void* place = nullptr;  // return address
  wait_kind kind = wait_kind::warp;
  std::array<const void*, cohort_barriers> arrivals{};  // places of arrivals without a wait; null: none
};

using wait_table = std::vector<thread_wait>;  // by rank in the block

}  // namespace cohort::check
