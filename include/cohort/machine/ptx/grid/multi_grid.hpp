// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The multi-grid of a launch over several GPUs: rank and count of grids, the barrier of all grids, scratch memory.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../../base/config.hpp"
#include "../../contract/concept.hpp"
#include "../barrier.hpp"
#include "../convergence.hpp"
#include "../identity.hpp"
#include "../memory.hpp"
#include "../port.hpp"
#include "multi_grid_counter.hpp"

namespace cohort {
namespace ptx {

struct multi_grid {
  COHORT_FN static uint32_t multi_grid_rank() { return is_launched() ? launch().rank : 0; }
  COHORT_FN static uint32_t multi_grid_count() { return is_launched() ? launch().count : 0; }

  COHORT_FN static void sync_multi_grid() {
    check();
    const bool converged = convergence::is_warp_converged();
    barrier::sync_block();
    const bool completed =
        identity::block_thread_rank() != 0 || multi_grid_counter::wait(launch(), multi_grid_counter::arrive(launch()));
    exit_unless(completed, converged);
  }

  /// Split-phase form. Returns the token for multi_grid_wait() of the same phase.
  COHORT_FN static uint32_t multi_grid_arrive() {
    check();
    barrier::sync_block();
    return identity::block_thread_rank() == 0 ? multi_grid_counter::arrive(launch()) : 0;
  }
  COHORT_FN static void multi_grid_wait(uint32_t token) {
    const bool converged = convergence::is_warp_converged();
    exit_unless(identity::block_thread_rank() != 0 || multi_grid_counter::wait(launch(), token), converged);
  }

  /// Scratch memory of all blocks, in the copy of grid `grid`; it begins after the messages of the grid's blocks.
  COHORT_FN static void* multi_grid_scratch(uint32_t grid, size_t bytes) {
    static_assert(detail::multi_grid_scratch_bytes >= cluster_scratch_bytes,
                  "at least the scratch of a cluster's block");
    if (bytes > detail::multi_grid_scratch_bytes)
      memory::fail("a block of a multi-grid has less scratch than asked for");
    check();
    return blocks_of(grid) + launch().blocks;
  }
  static constexpr bool has_multi_grid_put = false;

 private:
  friend struct multi_grid_messages;
  friend struct rank_arrays;

  COHORT_FN static const detail::multi_grid_descriptor& launch() { return multi_device_launch(); }
  /// True if the descriptor is that of the caller's launch: its grid has the barrier word that the descriptor names.
  COHORT_FN static bool is_launched() {
    return launch().grid_word != nullptr && launch().grid_word == grid_barrier_word();
  }

  /// The blocks of grid `grid`.
  COHORT_FN static detail::multi_grid_block* blocks_of(uint32_t grid) {
    return reinterpret_cast<detail::multi_grid_block*>(launch().words[grid] + 1);
  }

  COHORT_FN static void check() {
    if (multi_grid_count() != 0) return;
    memory::fail(
        "a barrier or collective of multi_grid_group in a launch that is none over several devices; launch with "
        "cohort::launch_multi_device, or in a file that includes cooperative_groups.h with "
        "cudaLaunchCooperativeKernelMultiDevice");
  }

  /// Barrier of the block after the wait. If the launch was ended because another device's grid failed, the block's
  /// threads exit without a message: the launch call itself has returned the error.
  COHORT_FN static void exit_unless(bool completed, bool converged) {
    if (!barrier::sync_block_all(completed, converged)) asm volatile("exit;");
  }
};

}  // namespace ptx
}  // namespace cohort
