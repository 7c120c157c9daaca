// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which one worker runs the threads and blocks of a launch, decided by a seed. Threads are ranks in their
// block, and blocks are ranks in their grid: this room uses no state of the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/schedule/order.hpp"
#include "engine/schedule/own_order.hpp"
#include "engine/schedule/plan.hpp"
#include "engine/schedule/random.hpp"

namespace cohort::engine {

// Three kinds of order. The seed selects one of the last two, and a launch's number its details.
enum class order_kind : uint8_t {
  own,          // the engine's own order, for seed 0 and for a file: first the warp that runs, then the first warp
  by_priority,  // the thread with the highest priority runs. At a few steps it loses its priority, which preempts it
                // (S. Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", 2010)
  at_random,    // each choice is random
};

class schedule {
 public:
  explicit schedule(const plan& p);

  void begin_launch(const launch_facts& facts = {});
  // How many blocks a worker begins at once, if the launch may hold `most`. One more may begin for block_wanted().
  uint32_t blocks_at_once(uint32_t most) const;
  // A block that has not begun and shall run next; no_block: none.
  uint64_t block_wanted() const { return own_.block_wanted(); }
  // The unit (a block or a cluster), of `count`, that begins as number `number`. `wanted`: the unit of block_wanted().
  uint64_t unit_to_begin(uint64_t number, uint64_t count, uint64_t wanted = no_block);
  void begin_block(uint64_t block, uint32_t threads);

  // Chooses one of the blocks that can run, by its index. pre: runnable is not empty
  size_t next_block(const std::vector<uint64_t>& runnable);
  // The running thread has stopped.
  void stop(uint64_t block, uint32_t thread, stop_kind how) { own_.stop(block, thread, how); }
  // True: place_stop() shall pass the source place of the last stop, once it is known.
  bool needs_place() const { return own_.needs_place(); }
  void place_stop(const void* place) { own_.place_stop(place); }
  // Chooses one of the block's threads that can run: `ready` has a mask for each warp, not all of them 0. other_block:
  // another block shall run first.
  uint32_t next_thread(uint64_t block, const uint32_t* ready, uint32_t warps, uint32_t current_warp);
  // Called at a point at which another thread may run. `alone`: no other thread of the block can run. `place`: source
  // place of the point. Returns true to stop the running thread.
  bool preempts(uint64_t block, uint32_t thread, bool alone, const void* place);
  // Called after a thread has polled memory in vain: all others run first.
  void spun(uint64_t block, uint32_t thread);

  // A clock for kernels, in nanoseconds: counts steps and its own calls.
  uint64_t now() { return time_ += nanoseconds_of_a_call; }

 private:
  static constexpr uint64_t nanoseconds_of_a_call = 1000;
  static constexpr uint64_t nanoseconds_of_a_step = 100;

  struct block_priorities {
    int64_t of_block;
    std::vector<int64_t> of_threads;
  };

  schedule(const plan& p, random_source chooser);

  bool step();
  uint64_t seeded_unit(uint64_t number, uint64_t count) const;
  size_t seeded_block(const std::vector<uint64_t>& runnable, bool has_left);
  uint32_t seeded_thread(uint64_t block, const uint32_t* ready, uint32_t warps, bool changes);
  bool seeded_preemption(uint64_t block, uint32_t thread, bool alone, bool changes);
  uint32_t random_ready(const uint32_t* ready, uint32_t warps);
  uint32_t best_ready(const block_priorities& b, const uint32_t* ready, uint32_t warps) const;

  const uint64_t seed_;
  order_kind kind_;
  own_order own_;
  uint32_t preemptions_;  // by_priority: preemptions in each launch
  uint64_t launches_ = 0;
  random_source random_;  // random numbers of the launch
  uint64_t launch_seed_ = 0;
  uint64_t preemption_rate_ = 1;  // at_random: one in this many points preempts
  uint64_t steps_ = 0;
  std::vector<uint64_t> change_steps_;
  int64_t lowest_ = 0;  // the lowest priority; a preempted thread gets a lower one
  std::unordered_map<uint64_t, block_priorities> blocks_;
  size_t other_blocks_ = 0;    // blocks that could run when this one was chosen
  bool leaves_block_ = false;  // a preemption has chosen another block
  uint64_t left_block_ = 0;    // the block that was left, if leaves_block_ is true
  uint64_t time_ = 1700000000000000000u;
};

}  // namespace cohort::engine
