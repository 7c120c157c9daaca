// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.hpp"

#include "../execute/worker.hpp"
#include "../report/report.hpp"
#include "grid.hpp"

namespace cohort::engine {

void session::fail(int code, const std::string& report) {
  publish_report(report);
  error.store(code, std::memory_order_release);
  announce();
}

void session::announce() {
  events.fetch_add(1, std::memory_order_seq_cst);
  events.notify_all();
}

// Each worker stores its state before it looks at the others', so the last one to fall asleep sees all.
bool session::is_stuck(uint32_t seen) const {
  bool somebody_waits = false;
  for (const worker* w : workers) {
    const uint64_t state = w->idle_at.load(std::memory_order_seq_cst);
    if (state == worker::finished) continue;
    if (state != worker::idle(seen)) return false;
    somebody_waits = true;
  }
  return somebody_waits && events.load(std::memory_order_seq_cst) == seen;
}

void* session::scratch(size_t bytes_per_block) {
  constexpr size_t alignment = 64;
  const std::lock_guard lock(scratch_mutex_);
  if (!scratch_) {
    scratch_.reset(new char[bytes_per_block * all_blocks.expected + alignment]());
    scratch_bytes_ = bytes_per_block;
  }
  if (scratch_bytes_ != bytes_per_block) return nullptr;
  return align_up(scratch_.get(), alignment);
}

}  // namespace cohort::engine
