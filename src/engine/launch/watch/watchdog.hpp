// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace cohort::engine {

class executor;
struct grid;

// Ends launches of one device that make no progress for COHORT_TIMEOUT seconds: a grid that only spins, or a lane that
// neither waits nor returns. Ends any launch after COHORT_LAUNCH_LIMIT seconds. Its OS thread sleeps while nothing is
// launched.
class watchdog {
 public:
  watchdog(double timeout_seconds, double limit_seconds, const std::vector<std::unique_ptr<executor>>& executors)
      : timeout_seconds_(timeout_seconds), limit_seconds_(limit_seconds), executors_(executors) {}

  // Starts the OS thread. Without it, no launch is watched.
  void start();
  // Begin and end the watch of one launch of the device at a time.
  void begin(grid& g);
  void end();

 private:
  using clock = std::chrono::steady_clock;
  // Progress of the watched launch.
  struct observation {
    bool progressed;  // progress since the last tick
    bool computing;   // a lane has run since the last tick, without a wait
  };

  bool is_on() const { return timeout_seconds_ > 0 || limit_seconds_ > 0; }
  void run();
  void watch(grid& g, std::unique_lock<std::mutex>& lock);
  observation observe(const grid& g);
  void interrupt_lanes(const grid& g, bool insists);
  void interrupt_engine(const grid& g, std::chrono::duration<double> still_for);

  const double timeout_seconds_;  // 0: a launch needs no progress
  const double limit_seconds_;    // 0: a launch may run for any time
  const std::vector<std::unique_ptr<executor>>& executors_;
  std::mutex mutex_;
  std::condition_variable wake_;
  grid* watched_ = nullptr;
  uint64_t launches_ = 0;              // begun launches: a later grid can have the address of an earlier grid
  clock::time_point began_;            // start of the watched launch, if there is a limit
  uint64_t progress_seen_ = 0;         // sum of all workers at the last tick
  std::vector<uint64_t> rounds_seen_;  // index: worker
  // For each worker: its CPU time at the last tick at which it had a round, a running lane, a wait, or no share of the
  // launch.
  std::vector<std::chrono::nanoseconds> moved_;
  bool sleeps_ = false;  // sleeps until `wake_` is notified
};

// Ends a launch that has run for COHORT_LAUNCH_LIMIT seconds: each worker ends it with a report when a barrier or
// collective completes on it, or when none of its lanes can run. Called by the watchdog while the launch runs.
void end_at_next_wait(grid& g);

}  // namespace cohort::engine
