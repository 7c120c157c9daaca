// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/gather/worker_counts.hpp"

#include <utility>

namespace cohort::count {

kernel_totals& worker_counts::totals_of(const cohort_kernel& kernel) {
  if (latest_kernel_ != &kernel) {
    std::unique_ptr<kernel_totals>& totals = kernels_[&kernel];
    if (!totals) totals = std::make_unique<kernel_totals>();
    latest_kernel_ = &kernel;
    latest_totals_ = totals.get();
  }
  return *latest_totals_;
}

counted_block* worker_counts::enter(tools::block_view block) {
  if (block.rank() % blocks_for_one_ != 0) return nullptr;
  std::unique_ptr<counted_block>& known = resident_[block.id()];
  if (!known) {
    known = unused_.empty() ? std::make_unique<counted_block>() : std::move(unused_.back());
    if (!unused_.empty()) unused_.pop_back();
    known->begin(block, totals_of(block.grid().kernel()), spaces_, costs_);
  }
  return known.get();
}

void worker_counts::end(tools::block_view block) {
  const auto found = resident_.find(block.id());
  if (found == resident_.end()) return;
  found->second->drain();
  unused_.push_back(std::move(found->second));
  resident_.erase(found);
}

void worker_counts::synchronise(tools::block_view block) {
  const auto found = resident_.find(block.id());
  if (found != resident_.end()) found->second->drain();
}

}  // namespace cohort::count
