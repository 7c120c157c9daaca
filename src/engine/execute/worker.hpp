// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker: one OS thread's share of a launch. It holds resident blocks, enters one, and gets control back in its
// home context when no thread of that block can run.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../fiber/stack.hpp"
#include "../fiber/switch.hpp"
#include "../state/block.hpp"
#include "../state/cluster.hpp"
#include "../state/grid.hpp"

namespace cohort::engine {

// Why a fiber gave up; written by the fiber, read in the home context.
struct failure {
  int error = error_none;
  std::string sentence;
  const void* place = nullptr;  // code address
  bool plain_line = false;      // print `sentence` as it is, without the frame of a report
  int signal = 0;               // a fault: what the signal handler saw, put into words later
  const void* address = nullptr;
  bool thread_known = true;     // the current thread is the one that failed
  const thread* who = nullptr;  // or this one is
};

struct worker {
  int index = 0;
  engine::grid* grid = nullptr;
  context home;
  context discarded;  // registers of contexts that are never resumed
  sanitizer_fiber home_sanitizer;
  stack_pool stacks;
  std::vector<std::unique_ptr<block>> resident;
  std::vector<std::unique_ptr<block>> spare;
  std::vector<std::unique_ptr<cluster>> clusters;  // of the resident blocks
  failure failed;
  bool resolving = false;  // inside the resolve function of a rendezvous
  // A block that runs as one loop has one context for all of its threads.
  std::unique_ptr<block> loop_block;
  thread loop_thread{};
  context loop_registers;
  stack* loop_stack = nullptr;

  // Of a cooperative launch: `finished`, or after which event of the session this worker fell asleep, or 0.
  static constexpr uint64_t finished = ~uint64_t{0};
  static constexpr uint64_t idle(uint32_t seen) { return uint64_t{seen} + 1; }
  std::atomic<uint64_t> idle_at{finished};

  alignas(64) std::atomic<uint64_t> progress{0};  // arrivals, returns: everything but spinning
  std::atomic<uint64_t> rounds{0};                // times that the home context ran
  std::atomic<bool> computing{false};             // inside a fiber
  pthread_t os_thread{};
  std::unique_ptr<char[]> signal_stack;
  std::unique_ptr<char[]> rescue_stack;

  // Runs this worker's share of `g`; returns when nothing is left of it.
  void run(engine::grid& g);

  void advance() { progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

 private:
  void run_fibers();
  void run_loop();
  void run_on_loop_stack(void (*entry)(void*));
  void find_faulting_thread();
  bool begin_next();
  void begin_cluster(uint64_t number);
  block& begin_block(uint64_t rank);
  bool retire(size_t i);
  void enter(block& b);
  void abandon();
  void report_failure();
  void report_stuck(block& b);
  bool wait_for_event(uint32_t seen);
  void end_if_stuck(uint32_t seen);
};

// The worker that runs on this OS thread; null outside of launches.
worker* current_worker();

// What an arrival needs of the warp that runs, beside cohort_current_thread. Found through the thread, or kept in the
// warp, it would put several loads into the latency of each switch (measured: a third of it).
struct alignas(64) running_warp {
  engine::warp* warp;
  engine::thread* threads;      // of lane 0
  context* registers;           // of lane 0
  std::ptrdiff_t to_registers;  // bytes from `threads` to `registers`
  rendezvous* newest;           // warp->newest
  uint32_t ready;               // takes the place of warp->ready, without the lane that runs
};
extern __thread running_warp running __attribute__((tls_model("initial-exec")));

inline thread* current_thread() { return const_cast<thread*>(static_cast<const thread*>(cohort_current_thread)); }
inline void run_warp(warp& w, uint32_t ready) {
  const std::ptrdiff_t distance = reinterpret_cast<char*>(w.registers) - reinterpret_cast<char*>(w.threads);
  running = {&w, w.threads, w.registers, distance, w.newest, ready};
}
// Also takes up what `running` holds of its warp.
inline void set_current_thread(thread* t) {
  cohort_current_thread = t;
  if (t) {
    run_warp(*t->warp, t->warp->ready & ~t->lane_bit());
  } else {
    running = {};
  }
}
// The running thread stops: from here on the warp's own masks count again.
inline void leave_running_warp() {
  running.warp->ready = running.ready;
  running.warp->find_waiters_at_block();
}

// Leaves the fiber that runs for the home context, which will end the launch with `w.failed`.
[[noreturn]] void give_up(worker& w);

// Fails the launch as cohort_fail does, for the kernel's code at `place`.
[[noreturn]] __attribute__((cold, format(printf, 3, 4))) void fail_at(const void* place, int error, const char* message,
                                                                      ...);

// First function on each fiber's stack; argument: the worker.
void fiber_main(void* argument);

// A context that is ready to run on a fresh stack; false if there is no memory for one.
bool start_on_new_stack(worker& w, thread& t);

}  // namespace cohort::engine
