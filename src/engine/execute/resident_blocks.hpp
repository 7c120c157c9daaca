// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/execute/strategy.hpp"
#include "engine/state/cluster.hpp"

namespace cohort::engine {

// The part of a strategy that holds several blocks at once, because their lanes can wait: takes blocks, runs each until
// none of its lanes can run, opens barriers beyond the block, resumes spinning lanes, and finds stuck blocks. The
// derived class runs the lanes of one block.
class resident_blocks : public strategy {
 public:
  void run_share(worker& w) override;
  void abandon(worker& w) override;

  // Runs cluster `number` as long as a block of it can run, or until a lane fails. For forked copies, which end
  // afterwards. pre: the session's report is claimed
  void run_cluster(worker& w, uint64_t number);

 protected:
  // Called when a block has begun and none of its lanes has run.
  virtual void prepare_block(block&) {}
  // Runs lanes of `b`, some of which can run, until none can or worker::failed is set. May throw std::bad_alloc.
  virtual void run_block(worker& w, block& b) = 0;
  // Sets the current lane aside, in which an assertion failed and whose fiber was left. The lane never runs again, and
  // no wait that needs it ever completes.
  virtual void set_aside_failed_lane(worker& w, block& b) = 0;
  // Writes the masks of the block for a report when the current lane was interrupted outside of its waits. It counts as
  // running.
  virtual void describe_running_lane(worker& w, block& b) = 0;
  // Drops the fibers of a block whose launch failed.
  virtual void abandon_block(worker& w, block& b) = 0;

 private:
  enum class outcome { nothing_ran, ran, failed };
  outcome run_round(worker& w);
  outcome run_chosen(worker& w);
  bool run_resident(worker& w, block& b, size_t& i);
  size_t blocks_at_once(const worker& w) const;
  bool keep_spinning(worker& w);
  void begin_beside_spinners(worker& w);
  bool begin_next(worker& w);
  bool begin_share(worker& w, uint64_t share);
  void begin_cluster(worker& w, uint64_t number);
  block& begin_block(worker& w, uint64_t rank);
  bool retire(size_t i);
  void drop(worker& w, size_t i);
  bool any_spins() const;
  block& first_live() const;

  std::vector<std::unique_ptr<block>> resident_;
  std::vector<std::unique_ptr<block>> spare_;
  std::vector<std::unique_ptr<cluster>> clusters_;  // clusters of the resident blocks
  uint32_t idle_rounds_ = 0;                        // rounds in which only spinning lanes ran
  uint64_t progress_seen_ = 0;
};

// Takes the next block, or cluster, of a plain launch for `w`: one that `w` has taken before, or the first of `chunk`
// more. False if there is none.
bool take_block(worker& w, uint32_t chunk, uint64_t& number);

// Makes all gangs of the launch's next block ready in place of `b`. False if a lane of `b` has not returned, if no
// block is left, or if the home fiber must run first. The fiber of the gang that returned last stays on its stack:
// returning to the home fiber for each block took 100 ns, ten times as long as this.
bool begin_next_block(worker& w, block& b);

}  // namespace cohort::engine
