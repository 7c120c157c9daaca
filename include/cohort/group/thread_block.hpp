// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_block: the threads of the calling thread's block.
#pragma once

#include "../base/config.hpp"
#include "../base/dim3.hpp"
#include "../machine/this_machine.hpp"
#include "arrival.hpp"
#include "mapping.hpp"
#include "thread_group.hpp"

namespace cohort {

class thread_block : public thread_group {
 public:
  static constexpr cohort::thread_scope thread_scope = thread_scope_block;
  using arrival_token = detail::arrival<barrier_kind::block>;

  // Barrier of the block, as __syncthreads(): orders shared and global memory among its threads.
  COHORT_FN static void sync() { this_machine::sync_block(); }

  // Barrier in two halves: each thread arrives, may do something else, then waits once with its token. The wait ends
  // when all threads of the block that have not returned have arrived; what they wrote before is seen then. Between
  // the halves a thread uses no other barrier or collective of the block; what it does wrong is reported.
  COHORT_FN static arrival_token barrier_arrive() { return arrival_token::arrive("thread_block::barrier_arrive"); }
  COHORT_FN static void barrier_wait(arrival_token&& token) { token.wait("thread_block::barrier_wait"); }

  // (z * Dy + y) * Dx + x
  COHORT_FN static unsigned int thread_rank() { return detail::block_thread_rank(); }
  COHORT_FN static unsigned int num_threads() { return detail::block_size(); }
  COHORT_FN static unsigned int size() { return num_threads(); }

  COHORT_FN static dim3 group_index() { return detail::block_index(); }    // blockIdx
  COHORT_FN static dim3 thread_index() { return detail::thread_index(); }  // threadIdx
  COHORT_FN static dim3 dim_threads() { return detail::block_dim(); }      // blockDim
  COHORT_FN static dim3 group_dim() { return dim_threads(); }

 private:
  friend struct detail::group_access;
  COHORT_FN thread_block() : thread_group(detail::kind_thread_block) {}
};

// The block of the calling thread.
COHORT_FN thread_block this_thread_block() { return detail::group_access::make<thread_block>(); }

}  // namespace cohort
