// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a cooperative grid.
#pragma once

#include <stdint.h>

#include "../../../base/config.hpp"
#include "../barrier.hpp"
#include "../convergence.hpp"
#include "../identity.hpp"
#include "../memory.hpp"
#include "../port.hpp"
#include "grid_counter.hpp"

namespace cohort {
namespace ptx {

struct grid_barrier {
  /// True if the launch has a grid barrier word, which the driver provides for cooperative launches.
  COHORT_FN static bool grid_is_valid() { return driver_workspace() != 0; }

  COHORT_FN static void sync_grid() {
    const bool converged = convergence::is_warp_converged();
    barrier::sync_block_hinted(converged);
    if (identity::thread_bits() == 0) {
      const uint32_t addend = grid_counter::share();
      grid_counter::arrive_and_wait(checked_word(), addend);
    }
    barrier::sync_block_hinted(converged);
  }

  /// Split-phase form. Returns the token for grid_wait() of the same phase.
  COHORT_FN static uint32_t grid_arrive() {
    barrier::sync_block();
    if (identity::thread_bits() != 0) return 0;
    const uint32_t addend = grid_counter::share();
    return grid_counter::arrive(checked_word(), addend);
  }
  COHORT_FN static void grid_wait(uint32_t token) {
    if (identity::thread_bits() == 0) grid_counter::wait(grid_barrier_word(), token);
    barrier::sync_block();
  }

 private:
  /// The grid's barrier word; fails the launch if there is none. Only debug builds (-G) and checked kernels print the
  /// reason: in a kernel that can print, ptxas orders shared memory before each fence, which slows its barriers down.
  COHORT_FN static uint32_t* checked_word() {
    const uint64_t workspace = driver_workspace();
    if (workspace == 0) {
#if defined(__CUDACC_DEBUG__) || COHORT_CHECKS_CALLS
      memory::fail(
          "grid_group.sync() in a launch that is not cooperative; launch the kernel with cudaLaunchCooperativeKernel");
#else
      asm volatile("trap;");
#endif
    }
    return barrier_word_in(workspace);
  }
};

}  // namespace ptx
}  // namespace cohort
