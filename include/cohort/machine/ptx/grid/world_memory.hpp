// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symmetric memory of launches over several processes. Each process has mapped the memory of all ranks at equal
// distances, so computing the address of a rank's memory needs no table.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"
#include "../copy.hpp"
#include "../port.hpp"

namespace cohort {
namespace ptx {

struct world_memory {
  /// The location of `address`, which lies in this rank's symmetric memory, in that of rank `rank`.
  COHORT_FN static void* world_address(const void* address, uint32_t rank) {
    const detail::multi_grid_descriptor& launch = multi_device_launch();
    if (launch.rank_stride == 0 || rank >= launch.count) asm volatile("trap;");
    const int64_t ranks_up = static_cast<int64_t>(rank) - static_cast<int64_t>(launch.rank);
    return const_cast<char*>(static_cast<const char*>(address)) + ranks_up * launch.rank_stride;
  }

  /// Stores over the link. The fences of the next barrier order the stores before it: causality order is cumulative.
  COHORT_FN static void world_put(void* to, const void* from, size_t bytes, uint32_t rank) {
    copy::copy_share(world_address(to, rank), from, bytes, 1, 0, 1);
  }
};

}  // namespace ptx
}  // namespace cohort
