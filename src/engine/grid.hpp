// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch while it runs: what its workers share.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "../../include/cohort/machine/cpu/port.hpp"
#include "error.hpp"

namespace cohort::engine {

struct block;

struct grid {
  const cohort_launch* launch = nullptr;
  const cohort_device* device = nullptr;
  uint64_t blocks = 0;
  uint32_t workers = 1;         // that take part
  uint32_t chunk = 1;           // blocks that a worker takes at once
  uint32_t resident_limit = 1;  // blocks that a worker may hold at once
  size_t stack_bytes = 0;

  alignas(64) std::atomic<uint64_t> next_block{0};  // plain launches
  // Barrier of a cooperative grid. Low half: blocks that arrived; high half: blocks that returned for good.
  alignas(64) std::atomic<uint64_t> arrivals{0};
  // Goes up when the barrier opens, and when the launch fails, so that sleepers look up.
  alignas(64) std::atomic<uint32_t> generation{0};
  std::atomic<int> error{success};
  std::atomic<bool> claimed{false};   // somebody writes the report
  std::atomic<bool> stuck{false};     // the grid's barrier can never open
  std::atomic<bool> expired{false};   // no progress for too long; set by the watchdog

  // Cooperative launches: each block, by rank, once it has begun. For reports.
  std::vector<block*> resident;

  bool failed() const { return error.load(std::memory_order_relaxed) != success; }

  // The caller is the first to fail this launch and must call fail().
  bool claim() { return !claimed.exchange(true, std::memory_order_acq_rel); }
  void fail(int code, const std::string& report);

  enum class arrival { waits, opened, stuck };
  // A block has arrived at the grid's barrier, or has returned for good.
  arrival arrive();
  arrival leave();
};

}  // namespace cohort::engine
