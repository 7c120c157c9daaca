// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace cohort::engine {

class executor;
struct grid;

// Ends launches of one device that make no progress for COHORT_TIMEOUT seconds: a grid that only spins, or a lane that
// neither waits nor returns. Its OS thread sleeps while nothing is launched.
class watchdog {
 public:
  watchdog(double timeout_seconds, const std::vector<std::unique_ptr<executor>>& executors)
      : timeout_seconds_(timeout_seconds), executors_(executors) {}

  // Starts the OS thread. Without it, no launch is watched.
  void start();
  // A launch of the device begins; one at a time.
  void begin(grid& g);
  void end();

 private:
  void run();
  void watch(grid& g, std::unique_lock<std::mutex>& lock);

  const double timeout_seconds_;  // 0: no launch is watched
  const std::vector<std::unique_ptr<executor>>& executors_;
  std::mutex mutex_;
  std::condition_variable wake_;
  grid* watched_ = nullptr;
  bool sleeps_ = false;  // until `wake_` is notified
};

}  // namespace cohort::engine
