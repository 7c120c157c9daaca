// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of one OS thread: its resident blocks, and the sums of the kernels that they run.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "count/gather/counted_block.hpp"

namespace cohort::count {

class worker_counts {
 public:
  // One of `blocks_for_one` blocks is counted.
  explicit worker_counts(uint32_t blocks_for_one) : blocks_for_one_(blocks_for_one) {}

  // The counters of a block that the thread begins or resumes; null if it is not counted.
  counted_block* enter(tools::block_view block);
  void end(tools::block_view block);
  // Notes that the threads of the block have passed a barrier.
  void synchronise(tools::block_view block);

  // Calls `use` with each kernel and its sums, and removes them. Blocks that are left belong to a launch that failed.
  template <class Use>
  void take(const Use& use) {
    resident_.clear();
    for (auto& [kernel, totals] : kernels_) use(*kernel, *totals);
    kernels_.clear();
    latest_kernel_ = nullptr;
  }

 private:
  kernel_totals& totals_of(const cohort_kernel& kernel);

  const uint32_t blocks_for_one_;
  const cohort_kernel* latest_kernel_ = nullptr;
  kernel_totals* latest_totals_ = nullptr;
  std::unordered_map<const cohort_kernel*, std::unique_ptr<kernel_totals>> kernels_;
  std::unordered_map<const void*, std::unique_ptr<counted_block>> resident_;
  std::vector<std::unique_ptr<counted_block>> unused_;
  memory_spaces spaces_;
  known_costs costs_;
};

}  // namespace cohort::count
