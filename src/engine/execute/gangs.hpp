// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "engine/execute/fibers.hpp"
#include "engine/execute/resident_blocks.hpp"

namespace cohort::engine {

// Runs each gang of a block on a fiber; for kernels with a gang version that fits the launch. A fiber runs one gang
// after another on its stack as long as they return without having waited.
class gangs : public resident_blocks {
 public:
  bool can_run(const grid& g) const override;
  void run_share(worker& w) override;

 protected:
  void prepare_block(block& b) override;
  void run_block(worker& w, block& b) override;
  void set_aside_failed_lane(worker& w, block& b) override;
  void describe_running_lane(worker& w, block& b) override;
  void abandon_block(worker& w, block& b) override;
};

}  // namespace cohort::engine
