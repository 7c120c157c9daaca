// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../state/worker.hpp"
#include "fibers.hpp"
#include "gang/gangs.hpp"
#include "thread_loop.hpp"

namespace cohort::engine {

// A worker with the strategies that it can execute blocks with.
class executor {
 public:
  explicit executor(int index);

  // Runs the worker's share of `g` on the calling OS thread; returns when nothing of it is left.
  void run(grid& g);

  worker& worker_state() { return worker_; }

 private:
  strategy& strategy_for(const grid& g);

  engine::worker worker_;
  std::unique_ptr<schedule> schedule_;
  thread_loop thread_loop_;
  gangs gangs_;
  fibers fibers_;
};

}  // namespace cohort::engine
