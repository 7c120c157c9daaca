// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "../state/block.hpp"
#include "strategy.hpp"

namespace cohort::engine {

// Runs each block as one call of cohort_kernel::block_entry, a loop over the block's threads; for kernels that cannot
// wait. All blocks of a share run on one fiber, one after another.
class thread_loop : public strategy {
 public:
  bool can_run(const grid& g) const override;
  void run_share(worker& w) override;
  void abandon(worker& w) override;

 private:
  void run_on_fiber(worker& w, void (*entry)(void*));
  void find_failed_thread(worker& w);
  static void run_blocks(void* argument);
  static void run_threads(void* argument);

  worker* worker_ = nullptr;
  std::unique_ptr<block> block_;
  lane lane_{};  // stands for all threads of the block
  fiber fiber_;
  context registers_;
};

}  // namespace cohort::engine
