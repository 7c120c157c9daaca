// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the grids of one launch share: whether it failed, what its sleeping workers wait for, and the barrier of all
// their blocks. A launch on one device is a session of one grid.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <cohort/base/cuda_error.hpp>

namespace cohort::engine {

struct grid;
struct worker;

// A barrier of blocks, on any workers. Each arrives once in each phase.
struct block_barrier {
  uint64_t expected = 0;
  alignas(64) std::atomic<uint64_t> arrivals{0};
  alignas(64) std::atomic<uint32_t> phase{0};  // how many are complete

  // True for the last one: the phase is complete, and who sleeps must be woken.
  bool arrive() {
    if (arrivals.fetch_add(1, std::memory_order_acq_rel) + 1 != expected) return false;
    arrivals.store(0, std::memory_order_relaxed);
    phase.fetch_add(1, std::memory_order_release);
    return true;
  }
};

struct session {
  std::vector<grid*> grids;
  std::vector<worker*> workers;  // of all grids
  bool multi_device = false;

  // Goes up when a barrier between workers opens, and when the launch fails. What sleepers look at.
  alignas(64) std::atomic<uint32_t> events{0};
  std::atomic<int> error{error_none};
  std::atomic<bool> claimed{false};  // somebody writes the report
  block_barrier all_blocks;          // the multi-grid's

  bool failed() const { return error.load(std::memory_order_relaxed) != error_none; }
  // The caller is the first to fail this launch and must call fail().
  bool claim() { return !claimed.exchange(true, std::memory_order_acq_rel); }
  void fail(int code, const std::string& report);
  // Something happened that a sleeping worker may wait for.
  void announce();
  // No worker can run before something happens, and nothing has since event number `seen`. False when all have
  // finished.
  bool is_stuck(uint32_t seen) const;

  // See cohort_multi_grid_scratch; null if another number of bytes was asked for before.
  void* scratch(size_t bytes_per_block);

 private:
  std::mutex scratch_mutex_;
  std::unique_ptr<char[]> scratch_;
  size_t scratch_bytes_ = 0;
};

}  // namespace cohort::engine
