// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/execute/executor.hpp"
#include "engine/launch/gate.hpp"
#include "engine/launch/watch/watchdog.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/session.hpp"

namespace cohort::engine {

// The workers of one device. The launching thread is worker 0; the others have OS threads of their own.
class pool {
 public:
  explicit pool(const cohort_device& device);

  // Runs one launch at a time to its end. Returns CUDA's error number. pre: check_launch() accepts it
  int run(const cohort_launch& launch);
  // Runs one launch on each pool, all at once, and together with those of the other processes of `world` unless `world`
  // is null. pre: check_multi_device() accepts them
  static int run_together(const cohort_launch* launches, const std::vector<pool*>& pools, cohort_world* world);

 private:
  // The number of the newest launch that a worker was woken for.
  struct alignas(64) bell {
    std::atomic<uint32_t> launch{0};
  };

  static int run_grids(const cohort_launch* launches, const std::vector<pool*>& pools, session& shared,
                       std::vector<std::unique_ptr<grid>>& grids);
  int prepare(const cohort_launch& launch, session& shared, grid& g);
  void run(grid& g);
  void serve(executor& e);
  void wake_next(uint32_t index, uint32_t workers, uint32_t launch);

  const cohort_device& device_;
  std::mutex launch_mutex_;
  std::vector<std::unique_ptr<executor>> executors_;
  watchdog watchdog_;
  grid* current_ = nullptr;  // valid inside the gate
  gate gate_;
  std::unique_ptr<bell[]> bells_;  // index: worker
};

// The functions of port.hpp. They check the launch and find the pools of its devices.
int run_launch(const cohort_launch* launch);
int run_multi_device_launch(const cohort_launch* launches, uint32_t count);
int run_world_launch(cohort_world& world, const cohort_launch* launches, uint32_t count);

// The transport of a launch whose grids all run in this process: they share the session and its scratch memory.
class local_transport : public transport {
 public:
  explicit local_transport(session& s) : session_(s) {}

  void raise_phase() override;
  void put(size_t offset, const void* from, size_t bytes) override;
  bool poll() override { return false; }  // no exchange is ever in flight: raise_phase() completes the phase
  void fail(int) override {}              // all grids poll the session's error

 private:
  session& session_;
};

}  // namespace cohort::engine
