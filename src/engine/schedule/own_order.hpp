// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's own order on one worker, and the switches that make another order of it: those that it follows, and
// those that it notes while another order runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/schedule/order.hpp"

namespace cohort::engine {

// Chooses no thread: another block shall run first.
inline constexpr uint32_t other_block = ~uint32_t{0};

class own_order {
 public:
  // `follows`: true if the order follows `switches`; false if choices come from a seed and are only compared with its
  // own.
  own_order(std::vector<order_switch> switches, bool follows);

  void begin_launch(const launch_facts& facts);
  // A switch's block that has not begun; no_block if there is none.
  uint64_t block_wanted() const;
  // The unit (a block or a cluster) that begins as number `number`. `wanted`: the unit of block_wanted(), or no_block.
  uint64_t unit_to_begin(uint64_t number, uint64_t wanted);
  void note_unit(uint64_t unit) { unit_ = unit; }  // a seed has chosen the unit that begins
  void begin_block(uint64_t block, uint32_t threads);

  // A thread is at a point of preemption. Returns true if a switch stops it.
  bool pass_point(uint64_t block, uint32_t thread);
  // The thread stops at the point of preemption that it has passed last.
  void preempt(uint64_t block, uint32_t thread, const void* place);
  // The running thread has stopped. Nothing if preempt() has noted it.
  void stop(uint64_t block, uint32_t thread, stop_kind how);
  // True: place_stop() shall pass the place of the last stop.
  bool needs_place() const { return needs_place_; }
  void place_stop(const void* place);

  // The choices of this order. pre: as in schedule
  size_t next_block(const std::vector<uint64_t>& runnable);
  uint32_t next_thread(uint64_t block, const uint32_t* ready, uint32_t warps, uint32_t current_warp);

  // Compares choices with this order's own and notes the differences. Called for each choice.
  void note_block(const std::vector<uint64_t>& runnable);
  void note_thread(uint64_t block, uint32_t chosen, const uint32_t* ready, uint32_t warps, uint32_t current_warp);

  // Number of switches that the process has followed.
  static uint64_t followed_switches();

 private:
  struct block_state {
    uint64_t unit;
    std::vector<uint64_t> points;  // indexed by thread
  };
  struct point_hash {
    size_t operator()(const thread_point& p) const;
  };

  void reach(const thread_point& point);
  uint64_t count_point(uint64_t block, uint32_t thread, bool polls);
  void note(const order_switch& s) const;
  size_t own_block(const std::vector<uint64_t>& runnable) const;
  uint32_t own_thread(uint64_t block, const uint32_t* ready, uint32_t warps, uint32_t current_warp) const;
  bool has_begun(uint64_t block) const;
  bool add_step(const order_step& step);  // false: the step is left out

  const std::vector<order_switch> switches_;
  const bool follows_;
  uint64_t launch_ = 0;
  bool all_begin_ = false;                                            // all blocks begin at once
  bool tracks_ = false;                                               // the launch has switches, or they are noted
  std::unordered_map<thread_point, order_switch, point_hash> ahead_;  // switches of the launch
  std::unordered_map<uint64_t, block_state> blocks_;
  std::set<uint64_t> started_;  // units of which a thread has run
  std::set<uint64_t> early_;    // units that a switch began, from next_unit_ on
  uint64_t next_unit_ = 0, unit_ = 0;

  thread_point last_;          // the last point that a thread has reached and stopped at
  bool is_preempted_ = false;  // the thread of last_ can run on
  bool is_noted_ = false;      // preempt() has noted the stop
  std::optional<order_switch> wanted_;
  bool is_at_home_ = false;  // a block is chosen, but no thread of it yet
  bool has_left_ = false;    // a choice has left the block although it could run on
  uint64_t own_block_ = 0;   // the block that this order would choose
  bool needs_place_ = false;
  uint64_t steps_left_ = 0;
};

// The engine's own choice of a thread: the lowest one that can run, in the current warp first.
uint32_t first_ready(const uint32_t* ready, uint32_t warps, uint32_t current_warp);

// Notes into `shared`, which another process may map.
void note_order_in(order_record& shared);

}  // namespace cohort::engine
