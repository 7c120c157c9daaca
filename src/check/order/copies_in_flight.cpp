// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/order/copies_in_flight.hpp"

#include <algorithm>
#include <utility>

namespace cohort::check {

copies_in_flight& copies_in_flight::instance() {
  static auto* const only = new copies_in_flight;
  return *only;
}

void copies_in_flight::add(copy_in_flight copy) {
  const std::lock_guard lock(mutex_);
  copies_.push_back(std::move(copy));
  was_used_.store(true, std::memory_order_relaxed);
}

void copies_in_flight::end_reads(uint64_t number) {
  const std::lock_guard lock(mutex_);
  for (copy_in_flight& each : copies_) {
    if (each.number == number) each.sources.clear();
  }
}

copy_in_flight copies_in_flight::take(uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(copies_.begin(), copies_.end(), [&](const auto& each) { return each.number == number; });
  if (found == copies_.end()) return {};
  copy_in_flight taken = std::move(*found);
  copies_.erase(found);
  return taken;
}

void copies_in_flight::end_launch(uint32_t launch) {
  const std::lock_guard lock(mutex_);
  std::erase_if(copies_, [&](const copy_in_flight& each) { return each.launch == launch; });
}

std::vector<source_range> copies_in_flight::reads_in(uintptr_t first, uintptr_t end) {
  std::vector<source_range> found;
  if (!was_used_.load(std::memory_order_relaxed)) return found;
  const std::lock_guard lock(mutex_);
  for (const copy_in_flight& each : copies_) {
    for (const source_range& source : each.sources) {
      if (source.first < end && first < source.end) {
        found.push_back({std::max(first, source.first), std::min(end, source.end)});
      }
    }
  }
  return found;
}

}  // namespace cohort::check
