// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_block: all threads of one block.
#pragma once

#include "../base/config.hpp"
#include "../base/dim3.hpp"
#include "../machine/this_machine.hpp"
#include "arrival.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {

/// All threads of one block.
class thread_block : public thread_group {
 public:
  /// The scope of the group's barrier.
  static constexpr cohort::thread_scope thread_scope = thread_scope_block;
  /// The result of barrier_arrive().
  using arrival_token = detail::arrival<barrier_kind::block>;

  /// Waits until all threads of the block have arrived, as __syncthreads(). Orders their accesses to shared and global
  /// memory.
  COHORT_FN static void sync(COHORT_CALLED_AT) {
    COHORT_CHECKED_CALL(sync, block, 0u);
    this_machine::sync_block();
  }

  /// Arrives at the group's split-phase barrier, without waiting. The thread then waits once with its token.
  /// @return The token of this phase, for barrier_wait().
  /// @pre The thread has no arrival without a wait. Until its wait it uses no other barrier or collective of the block.
  ///      The CPU reports a violation.
  COHORT_FN static arrival_token barrier_arrive() { return arrival_token::arrive("thread_block::barrier_arrive"); }
  /// Waits until all threads of the block that have not returned have arrived. Their writes before the arrival are
  /// visible afterwards.
  /// @param token The result of the thread's arrival in this phase. The CPU reports any other token.
  COHORT_FN static void barrier_wait(arrival_token&& token COHORT_AND_CALLED_AT) {
    COHORT_CHECKED_CALL(barrier_wait, block, 0u);
    token.wait("thread_block::barrier_wait");
  }

  /// The rank of the calling thread: (z * Dy + y) * Dx + x.
  COHORT_FN static unsigned int thread_rank() { return detail::block_thread_rank(); }
  /// Number of threads of the block.
  COHORT_FN static unsigned int num_threads() { return detail::block_size(); }
  /// Number of threads of the block (CUDA's older name).
  COHORT_FN static unsigned int size() { return num_threads(); }

  /// The index of the block in the grid (blockIdx).
  COHORT_FN static dim3 group_index() { return detail::block_index(); }
  /// The index of the calling thread in the block (threadIdx).
  COHORT_FN static dim3 thread_index() { return detail::thread_index(); }
  /// The extent of the block in threads (blockDim).
  COHORT_FN static dim3 dim_threads() { return detail::block_dim(); }
  /// The extent of the block in threads (CUDA's older name).
  COHORT_FN static dim3 group_dim() { return dim_threads(); }

 private:
  friend struct detail::group_access;
  COHORT_FN thread_block() : thread_group(detail::kind_thread_block) {}
};

/// The block of the calling thread.
COHORT_FN thread_block this_thread_block() { return detail::group_access::make<thread_block>(); }

}  // namespace cohort
