// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workers of one device: the launching thread is worker 0, the others wait for launches.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "../execute/worker.hpp"

namespace cohort::engine {

class pool {
 public:
  explicit pool(const cohort_device& device);

  // Runs the launch to its end; one at a time. Returns CUDA's error number.
  int run(const cohort_launch& launch);
  // The same for one launch on each pool, all at once; they have been checked.
  static int run_together(const cohort_launch* launches, const std::vector<pool*>& pools);

 private:
  int prepare(const cohort_launch& launch, session& shared, grid& g);
  void run(grid& g);
  void serve(worker& w);
  void watch();
  void watch_launch(std::unique_lock<std::mutex>& lock);

  const cohort_device& device_;
  std::mutex launch_mutex_;
  std::vector<std::unique_ptr<worker>> workers_;
  grid* current_ = nullptr;
  alignas(64) std::atomic<uint32_t> epoch_{0};    // goes up with each launch that needs the other workers
  alignas(64) std::atomic<uint32_t> running_{0};  // other workers still at it

  std::mutex watch_mutex_;
  std::condition_variable watch_wake_;
  grid* watched_ = nullptr;
  bool watching_ = false;      // the watchdog's thread exists
  bool watch_sleeps_ = false;  // until it is woken
};

}  // namespace cohort::engine
