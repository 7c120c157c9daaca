// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker: one OS thread's part of a launch. Plain data; the code that runs it is in execute/.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/fiber/kernel_call.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/state/failure.hpp"

namespace cohort::engine {

struct grid;
struct lane;

struct worker {
  int index = 0;
  engine::grid* grid = nullptr;
  // The stack and the registers of the OS thread. A failed lane returns control to this fiber.
  stack home_stack;
  context home_registers;
  fiber home{&home_stack, &home_registers};
  context discarded;  // registers of fibers that are never resumed
  // The stack on which a returned lane withdraws, because the kernel may have overwritten the words above its frame.
  std::unique_ptr<char[]> landing;
  stack_pool stacks;
  failure failed;
  engine::schedule* schedule = nullptr;  // null: lanes run in the engine's own order
  const lane* last_stopped = nullptr;    // the lane whose stop a schedule notes, until its place is known
  bool resolving = false;                // inside the resolve function of a collective, which must not wait
  bool may_wait = false;                 // lanes of the running blocks can wait, each for itself or as gangs
  bool may_suspend = false;              // each lane of the running blocks has its own fiber
  bool silent = false;                   // device printf prints nothing
  // Blocks, or clusters, that the worker has taken from the launch and has not begun.
  uint64_t taken_next = 0;
  uint64_t taken_end = 0;

  // State in a cooperative launch: `finished`, idle(n) while the worker sleeps since event n of the session, else 0.
  static constexpr uint64_t finished = ~uint64_t{0};
  static constexpr uint64_t idle(uint32_t seen) { return uint64_t{seen} + 1; }
  std::atomic<uint64_t> idle_at{finished};

  // Read by the watchdog.
  alignas(64) std::atomic<uint64_t> progress{0};  // number of arrivals and returns, without spinning
  std::atomic<uint64_t> rounds{0};                // times that the home fiber ran
  std::atomic<bool> computing{false};             // a lane runs
  std::atomic<bool> shares{false};                // the share of a launch is in progress
  std::atomic<bool> explains{false};              // the worker waits for a forked copy that explains a failure
  std::atomic<bool> must_leave{false};            // set by the watchdog: the next signal ends the share in any code
  pthread_t os_thread{};                          // valid for another thread that has acquired `computing`
  std::unique_ptr<char[]> signal_stack;
  std::unique_ptr<char[]> rescue_stack;
  void* escape[5] = {};  // __builtin_setjmp() of the frame that ends the share from anywhere in it

  worker() = default;
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Counts a run of the home fiber. A count that stands still shows the watchdog a worker that spins in one place.
  void begin_round() { rounds.store(rounds.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  // Only the worker's own thread writes, so an atomic addition is not needed.
  void advance() { progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
};

}  // namespace cohort::engine
