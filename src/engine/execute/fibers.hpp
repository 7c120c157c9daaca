// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "engine/execute/resident_blocks.hpp"

namespace cohort::engine {

// Runs each lane on a fiber; can run every kernel. A fiber runs one lane after another on its stack as long as they
// return without having waited: only a lane that suspends keeps a stack.
class fibers : public resident_blocks {
 public:
  bool can_run(const grid&) const override { return true; }
  void run_share(worker& w) override;
  // Prepares `w` for blocks of this strategy.
  static void set_up(worker& w);

 protected:
  void run_block(worker& w, block& b) override;
  void set_aside_failed_lane(worker& w, block& b) override;
  void describe_running_lane(worker& w, block& b) override;
  void abandon_block(worker& w, block& b) override;
};

}  // namespace cohort::engine
