// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "../state/block.hpp"
#include "strategy.hpp"

namespace cohort::engine {

// For kernels that cannot wait: runs each block as one call of cohort_kernel::block_entry, a loop over the block's
// threads, or gang after gang where a gang version fits. All blocks of a share run on one fiber, one after another.
class thread_loop : public strategy {
 public:
  bool can_run(const grid& g) const override;
  void run_share(worker& w) override;
  void abandon(worker& w) override;

 private:
  void run_on_fiber(worker& w, void (*entry)(void*));
  void run_past_assertions(worker& w, void (*entry)(void*));
  bool take_chunk();
  void finish_block();
  void run_threads();
  void run_gangs();
  void name_thread(uint32_t rank);
  void find_failed_thread(worker& w);
  static void run_blocks(void* argument);
  static void run_one_block(void* argument);

  worker* worker_ = nullptr;
  std::unique_ptr<block> block_;
  uint64_t chunk_end_ = 0;     // end of the blocks that were taken; the first of them is block_->rank
  uint32_t first_thread_ = 0;  // of the block: not 0 after an assertion failed in the thread before
  lane lane_{};                // stands for all threads of the block
  gang* gang_ = nullptr;       // runs; null where the launch runs no gangs
  fiber fiber_;
  context registers_;
};

}  // namespace cohort::engine
