// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "engine/execute/fibers.hpp"
#include "engine/execute/gangs.hpp"
#include "engine/execute/thread_loop.hpp"
#include "engine/state/worker.hpp"

namespace cohort::engine {

// A worker and its strategies for executing blocks.
class executor {
 public:
  explicit executor(int index);

  // Runs the worker's share of `g` on the calling OS thread; returns when the share is finished.
  void run(grid& g);

  worker& worker_state() { return worker_; }

 private:
  struct strategies {
    thread_loop loop;
    engine::gangs gangs;
    engine::fibers fibers;
  };

  strategy& strategy_for(const grid& g);
  void run_share(grid& g);
  void leave_share();

  engine::worker worker_;
  std::unique_ptr<schedule> schedule_;
  std::unique_ptr<strategies> strategies_ = std::make_unique<strategies>();
};

}  // namespace cohort::engine
