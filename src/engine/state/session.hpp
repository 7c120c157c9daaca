// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A session: one launch in progress, on one device or on several. It holds the data that the launch's grids share: the
// error, the events that sleeping workers wait for, and the barrier of all blocks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <cohort/base/cuda_error.hpp>
#include <cohort/machine/cpu/world_port.hpp>

#include "engine/state/storage.hpp"

namespace cohort::engine {

struct grid;
struct worker;

// Counts the blocks that arrive at a barrier, on any workers. Each block arrives once in each phase.
struct arrival_counter {
  uint64_t expected = 0;
  alignas(64) std::atomic<uint64_t> arrivals{0};
  alignas(64) std::atomic<uint32_t> phase{0};  // phases that are complete

  // Counts an arrival. True for the last block, which must open the barrier or have it opened.
  bool arrive() {
    if (arrivals.fetch_add(1, std::memory_order_acq_rel) + 1 != expected) return false;
    arrivals.store(0, std::memory_order_relaxed);
    return true;
  }
  void open() { phase.fetch_add(1, std::memory_order_release); }
};

// Connects the grids of a multi-device launch. The functions may be called by any worker, and by several at once.
class transport {
 public:
  virtual ~transport() = default;

  // Called by the last block of this process to arrive at the multi-grid's barrier. The transport opens
  // session::all_blocks and announces an event once all other grids have arrived too.
  virtual void raise_phase() = 0;
  // Copies `bytes` bytes to `offset` in the scratch memory of each grid. They can be read after the next phase of the
  // multi-grid's barrier.
  virtual void put(size_t offset, const void* from, size_t bytes) = 0;
  // Makes progress with an exchange. True while one is in flight: an idle worker then polls again and does not sleep.
  virtual bool poll() = 0;
  // Ends the launch, which failed in this process, in the other processes.
  virtual void fail(int error) = 0;
};

// The lines of assertions that failed in a launch. Its other threads continue, so several can fail.
class assertion_lines {
 public:
  // Stores the line, or only counts it after most_assertion_lines.
  void add(const std::string& line);
  bool any() const { return count_.load(std::memory_order_acquire) != 0; }
  // All lines; a last one counts the lines that were not stored.
  std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::string lines_;
  std::atomic<uint64_t> count_{0};
};

struct session {
  std::vector<grid*> grids;
  std::vector<worker*> workers;            // workers of all grids
  engine::transport* transport = nullptr;  // null: a launch on one device
  arrival_counter all_blocks;              // the barrier of the multi-grid; counts the blocks of this process
  cohort_world* world = nullptr;           // set for a launch over a world, even of a single process
  uint32_t first_rank = 0;                 // rank of grids[0] in the multi-grid
  uint32_t other_ranks = 0;                // grids in other processes

  uint32_t ranks() const { return static_cast<uint32_t>(grids.size()) + other_ranks; }

  // Counts events: a barrier between workers opened, or the launch failed. Sleeping workers wait for a change.
  alignas(64) std::atomic<uint32_t> events{0};
  std::atomic<int> error{error_none};
  std::atomic<bool> claimed{false};  // a worker writes the report
  assertion_lines assertions;

  bool failed() const { return error.load(std::memory_order_relaxed) != error_none; }
  // True for the first caller, which must call fail().
  bool claim() { return !claimed.exchange(true, std::memory_order_acq_rel); }
  void fail(int code);
  // Counts an event and wakes the sleeping workers.
  void announce();
  // True if every worker has finished or sleeps since event `seen`, so no further event can follow. False when all have
  // finished.
  bool is_stuck(uint32_t seen) const;

  // Staging buffer of local rank `index` for arrays, in a launch without a world.
  char* array_staging(size_t index);

  // Scratch memory of the multi-grid: `bytes_per_block` for each block. Null: an earlier call had another size.
  char* scratch(size_t bytes_per_block);
  // The start of the scratch memory, or null before the first scratch().
  char* scratch_start() const { return scratch_.start(); }
  // The address is in scratch memory, or in a staging buffer of a launch without a world.
  bool holds_scratch(const void* address) const;
  // Copies bytes from another process. Drops bytes outside of the scratch memory: the kernel of the other process is in
  // a collective, and this one's is not.
  void store_scratch(size_t offset, const void* from, size_t bytes);

 private:
  uint64_t scratch_blocks() const;  // number of blocks of all ranks

  launch_buffer scratch_;
  launch_buffer staging_;  // one staging buffer for all grids
};

}  // namespace cohort::engine
