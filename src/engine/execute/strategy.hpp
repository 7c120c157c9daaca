// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

struct grid;
struct worker;

// How a worker executes the blocks of its share of a launch. An executor has one object of each strategy and runs the
// first one that can run the launch.
class strategy {
 public:
  virtual ~strategy() = default;

  virtual bool can_run(const grid& g) const = 0;
  // Runs the share of `w` in the grid *w.grid. Returns when the share is finished, or when the launch has failed and
  // its report is written. May throw std::bad_alloc.
  virtual void run_share(worker& w) = 0;
  // Drops the blocks and fibers of a failed launch. Destructors of the kernels' objects do not run.
  virtual void abandon(worker& w) = 0;
};

// For strategies: kernels that `w` calls from its home fiber return there.
void return_kernels_home(worker& w);
// For strategies: after each kernel that `w` runs, kernel_exit::next calls `next(&w)`. `loop`: see kernel_exit.
void continue_kernels_in(worker& w, void (*next)(void* worker), void (*loop)(void* stack));

}  // namespace cohort::engine
