// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "engine/execute/strategy.hpp"
#include "engine/state/block.hpp"

namespace cohort::engine {

// For kernels that cannot wait: runs each block as one call of cohort_kernel::block_entry, a loop over the block's
// threads, or gang after gang if a gang version fits. The loop over the blocks runs on the home fiber, and each call of
// the kernel starts at the top of another stack: a kernel that overwrites its caller's frame then overwrites nothing of
// the engine. A kernel without an array on its stack is called by a loop on that stack, which saves 4 ns a block.
class thread_loop : public strategy {
 public:
  bool can_run(const grid& g) const override;
  void run_share(worker& w) override;
  void abandon(worker& w) override;

 private:
  enum class part { blocks, threads_of_block };
  void run_past_assertions(worker& w, part p);
  template <bool on_stack>
  bool call(const kernel_call& c);
  static void run_on_stack(void** self);
  bool take_chunk();
  void finish_block();
  template <bool on_stack>
  bool run_threads();
  template <bool on_stack>
  bool run_gangs();
  template <bool on_stack>
  void run_blocks();
  template <bool on_stack>
  void run_part();
  void name_thread(uint32_t rank);
  void find_failed_thread(worker& w);

  worker* worker_ = nullptr;
  part part_ = part::blocks;  // the part that run_past_assertions() runs
  std::unique_ptr<block> block_;
  uint64_t chunk_end_ = 0;     // end of the blocks that were taken; the first of them is block_->rank
  uint32_t first_thread_ = 0;  // first thread to run; not 0 after a failed assertion in the previous one
  lane lane_{};                // stands for all threads of the block
  gang* gang_ = nullptr;       // the running gang; null if the launch runs no gangs
  fiber fiber_;                // the stack of the kernels, and the registers of one that fails
  context registers_;
};

}  // namespace cohort::engine
