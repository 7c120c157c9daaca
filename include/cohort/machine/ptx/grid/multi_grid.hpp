// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches over several GPUs: which grid is this, where is its memory, and the barrier of all grids.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../concept.hpp"
#include "../block/team_barrier.hpp"
#include "../memory.hpp"
#include "../port.hpp"
#include "grid_barrier.hpp"
#include "multi_grid_barrier.hpp"

namespace cohort {
namespace ptx {

// The launch that is under way on this device, once for each module whose kernels ask for it. The host finds it by its
// name, writes it in the order of the launch's stream, and clears it behind the grid. Kernels in other streams see it
// too: is it theirs? The word of the grid's own barrier says so.
// A template, so that modules that do not ask for it have none.
template <class Unused>
__constant__ detail::multi_grid_descriptor multi_device_launch = {};
#define COHORT_MULTI_DEVICE_LAUNCH_NAME "_ZN6cohort3ptx19multi_device_launchIvEE"

struct multi_grid {
  COHORT_FN static uint32_t multi_grid_rank() { return is_ours() ? launch().rank : 0; }
  COHORT_FN static uint32_t multi_grid_count() { return is_ours() ? launch().count : 0; }

  COHORT_FN static void sync_multi_grid() {
    check();
    const bool together = is_together();
    team_barrier::sync_block();
    const bool goes_on =
        team_barrier::block_rank() != 0 || multi_grid_barrier::wait(launch(), multi_grid_barrier::arrive(launch()));
    leave_unless(goes_on, together);
  }

  // The same in two halves.
  COHORT_FN static uint32_t multi_grid_arrive() {
    check();
    team_barrier::sync_block();
    return team_barrier::block_rank() == 0 ? multi_grid_barrier::arrive(launch()) : 0;
  }
  COHORT_FN static void multi_grid_wait(uint32_t token) {
    const bool together = is_together();
    leave_unless(team_barrier::block_rank() != 0 || multi_grid_barrier::wait(launch(), token), together);
  }

  COHORT_FN static void* multi_grid_scratch(uint32_t grid, size_t bytes) {
    static_assert(detail::multi_grid_scratch_bytes >= cluster_scratch_bytes, "as much as for the blocks of a cluster");
    if (bytes > detail::multi_grid_scratch_bytes)
      memory::fail("a block of a multi-grid has less scratch than asked for");
    check();
    return launch().words[grid] + 1;
  }

 private:
  COHORT_FN static const detail::multi_grid_descriptor& launch() { return multi_device_launch<void>; }
  COHORT_FN static bool is_ours() {
    return launch().grid_word != nullptr && launch().grid_word == grid_word::address();
  }

  COHORT_FN static void check() {
    if (multi_grid_count() != 0) return;
    memory::fail(
        "a barrier or collective of multi_grid_group in a launch that is none over several devices; launch with "
        "cohort::launch_multi_device, or in a file that includes cooperative_groups.h with "
        "cudaLaunchCooperativeKernelMultiDevice");
  }

  // The block's barrier after the wait. The grids of a launch that failed on another device end here, quietly: the
  // launch itself has said what was wrong. For a warp whose lanes come together nothing has to find that out.
  COHORT_FN static void leave_unless(bool goes_on, bool together) {
    uint32_t ends;
    if (together) {
      ends = static_cast<uint32_t>(__syncthreads_or(goes_on ? 0 : 1));
    } else {
      asm volatile(
          "{\n\t.reg .pred p, q;\n\t"
          "setp.eq.u32 p, %1, 0;\n\t"
          "barrier.red.or.pred q, 0, p;\n\t"
          "selp.u32 %0, 1, 0, q;\n\t}"
          : "=r"(ends)
          : "r"(goes_on ? 1u : 0u)
          : "memory");
    }
    if (ends != 0) asm volatile("exit;");
  }
  COHORT_FN static bool is_together() {
    uint32_t lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
    return lanes == 0xffffffffu;
  }
};

}  // namespace ptx
}  // namespace cohort
