// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid.hpp"

#include "report.hpp"

namespace cohort::engine {

namespace {
constexpr uint64_t one_arrived = 1;
constexpr uint64_t one_left = uint64_t{1} << 32;
constexpr uint64_t low_half = one_left - 1;
}  // namespace

void grid::fail(int code, const std::string& report) {
  publish_report(report);
  error.store(code, std::memory_order_release);
  generation.fetch_add(1, std::memory_order_release);
  generation.notify_all();
}

grid::arrival grid::arrive() {
  const uint64_t now = arrivals.fetch_add(one_arrived, std::memory_order_acq_rel) + one_arrived;
  if ((now & low_half) + (now >> 32) != blocks) return arrival::waits;
  if (now >> 32) return arrival::stuck;
  arrivals.store(0, std::memory_order_relaxed);
  generation.fetch_add(1, std::memory_order_release);
  generation.notify_all();
  return arrival::opened;
}

grid::arrival grid::leave() {
  const uint64_t now = arrivals.fetch_add(one_left, std::memory_order_acq_rel) + one_left;
  if ((now & low_half) + (now >> 32) != blocks || (now & low_half) == 0) return arrival::waits;
  return arrival::stuck;
}

}  // namespace cohort::engine
