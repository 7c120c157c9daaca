// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/state/session.hpp"

#include <cstring>

#include "engine/state/worker.hpp"

namespace cohort::engine {

namespace {

// Bounds the stored lines. CUDA's printf buffer has 1 MiB by default.
constexpr uint64_t most_assertion_lines = 1024;

}  // namespace

void assertion_lines::add(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (count_.fetch_add(1, std::memory_order_release) < most_assertion_lines) lines_ += line;
}

std::string assertion_lines::text() const {
  const std::lock_guard lock(mutex_);
  const uint64_t count = count_.load(std::memory_order_relaxed);
  if (count <= most_assertion_lines) return lines_;
  return lines_ + "cohort: " + std::to_string(count - most_assertion_lines) +
         " more threads failed an assertion; the first " + std::to_string(most_assertion_lines) + " are listed\n";
}

void session::fail(int code) {
  error.store(code, std::memory_order_release);
  if (transport) transport->fail(code);
  announce();
}

void session::announce() {
  events.fetch_add(1, std::memory_order_seq_cst);
  events.notify_all();
}

// Each worker stores its state before it reads the other states, so the last one to become idle reads all of them.
bool session::is_stuck(uint32_t seen) const {
  bool one_sleeps = false;
  for (const worker* w : workers) {
    const uint64_t state = w->idle_at.load(std::memory_order_seq_cst);
    if (state == worker::finished) continue;
    if (state != worker::idle(seen)) return false;
    one_sleeps = true;
  }
  return one_sleeps && events.load(std::memory_order_seq_cst) == seen;
}

char* session::scratch(size_t bytes_per_block) {
  return scratch_.allocate(bytes_per_block, true, [this] { return scratch_blocks(); });
}

uint64_t session::scratch_blocks() const { return all_blocks.expected / grids.size() * ranks(); }

bool session::holds_scratch(const void* address) const { return scratch_.holds(address) || staging_.holds(address); }

char* session::array_staging(size_t index) {
  constexpr size_t bytes = cohort_array_staging_bytes;
  return staging_.allocate(bytes, false, [this] { return grids.size(); }) + index * bytes;
}

void session::store_scratch(size_t offset, const void* from, size_t bytes) {
  char* const start = scratch_start();
  if (!start) return;
  const size_t size = scratch_.bytes();
  if (offset <= size && bytes <= size - offset) std::memcpy(start + offset, from, bytes);
}

}  // namespace cohort::engine
