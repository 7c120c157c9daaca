// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/own_order.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/schedule/random.hpp"

namespace cohort::engine {

namespace {

constexpr uint32_t warp_lanes = 32;  // lanes of a warp

order_record* noted = nullptr;
std::atomic<uint64_t> launches{0};
std::atomic<uint64_t> followed{0};

bool is_ready(const uint32_t* ready, uint32_t warps, uint32_t thread) {
  return thread / warp_lanes < warps && (ready[thread / warp_lanes] >> thread % warp_lanes & 1);
}

}  // namespace

uint32_t first_ready(const uint32_t* ready, uint32_t warps, uint32_t current_warp) {
  uint32_t warp = current_warp;
  if (!ready[warp]) {
    for (warp = 0; warp + 1 < warps && !ready[warp];) ++warp;
  }
  return warp * warp_lanes + static_cast<uint32_t>(__builtin_ctz(ready[warp]));
}

void note_order_in(order_record& shared) { noted = &shared; }

uint64_t own_order::followed_switches() { return followed.load(std::memory_order_relaxed); }

size_t own_order::point_hash::operator()(const thread_point& p) const {
  return static_cast<size_t>(mix(mix(p.block, p.thread), p.number));
}

own_order::own_order(std::vector<order_switch> switches, bool follows)
    : switches_(std::move(switches)), follows_(follows) {}

void own_order::begin_launch(const launch_facts& facts) {
  launch_ = launches.fetch_add(1, std::memory_order_relaxed) + 1;
  ahead_.clear();
  blocks_.clear();
  started_.clear();
  early_.clear();
  next_unit_ = unit_ = 0;
  all_begin_ = facts.cooperative;
  is_preempted_ = is_noted_ = is_at_home_ = has_left_ = needs_place_ = false;
  for (const order_switch& s : switches_) {
    if (s.launch == launch_) ahead_.emplace(s.at, s);
  }
  tracks_ = noted || !ahead_.empty();
  steps_left_ = ahead_.empty() ? 0 : order_record::most_steps;
  if (noted && !ahead_.empty() && noted->launch_count < order_record::most_launches) {
    noted->launches[noted->launch_count++] = {launch_, facts};
  }
  reach({});
}

// Notes that a thread has stopped at the point.
void own_order::reach(const thread_point& point) {
  last_ = point;
  wanted_.reset();
  const auto found = ahead_.find(point);
  if (found == ahead_.end()) return;
  wanted_ = found->second;
  ahead_.erase(found);
  followed.fetch_add(1, std::memory_order_relaxed);
  note(*wanted_);
  if (noted && ahead_.empty()) steps_left_ = order_record::steps_after_last_switch;
}

uint64_t own_order::count_point(uint64_t block, uint32_t thread, bool polls) {
  const uint64_t number = ++blocks_[block].points[thread];
  if (noted && noted->points_of == launch_ && noted->point_count < order_record::most_points) {
    noted->points[noted->point_count++] = {{block, thread, number}, polls};
  }
  return number;
}

void own_order::note(const order_switch& s) const {
  if (noted && noted->switch_count < order_record::most_switches) noted->switches[noted->switch_count++] = s;
}

bool own_order::has_begun(uint64_t block) const { return all_begin_ || blocks_.count(block) != 0; }

uint64_t own_order::block_wanted() const { return wanted_ && !has_begun(wanted_->block) ? wanted_->block : no_block; }

uint64_t own_order::unit_to_begin(uint64_t number, uint64_t wanted) {
  if (!tracks_) return unit_ = number;
  while (early_.erase(next_unit_)) ++next_unit_;
  if (wanted != no_block && wanted > next_unit_ && early_.insert(wanted).second) return unit_ = wanted;
  return unit_ = next_unit_++;
}

void own_order::begin_block(uint64_t block, uint32_t threads) {
  if (tracks_) blocks_[block] = {unit_, std::vector<uint64_t>(threads)};
}

bool own_order::pass_point(uint64_t block, uint32_t thread) {
  if (!tracks_) return false;
  const uint64_t number = count_point(block, thread, false);
  return ahead_.count({block, thread, number}) != 0;
}

void own_order::preempt(uint64_t block, uint32_t thread, const void* place) {
  if (!tracks_) return;
  reach({block, thread, blocks_[block].points[thread]});
  is_preempted_ = is_noted_ = true;
  add_step({launch_, last_, stop_kind::switched, place});
}

void own_order::stop(uint64_t block, uint32_t thread, stop_kind how) {
  if (std::exchange(is_noted_, false)) return;
  is_preempted_ = false;
  if (!tracks_) {
    last_.block = block;
    return;
  }
  reach({block, thread, count_point(block, thread, how == stop_kind::polls)});
  needs_place_ = add_step({launch_, last_, how, nullptr}) && how != stop_kind::returns;
}

bool own_order::add_step(const order_step& step) {
  needs_place_ = false;
  if (!noted || steps_left_ == 0 || noted->step_count == order_record::most_steps) return false;
  --steps_left_;
  noted->steps[noted->step_count++] = step;
  return true;
}

void own_order::place_stop(const void* place) {
  needs_place_ = false;
  if (noted->step_count) noted->steps[noted->step_count - 1].place = place;
}

// The engine's own order continues with the next block by rank. While a seed chooses, a block that has not run counts
// as not begun, because the engine's own order begins a block when no other block is left.
size_t own_order::own_block(const std::vector<uint64_t>& runnable) const {
  const auto at = [&](uint64_t block) { return std::find(runnable.begin(), runnable.end(), block); };
  if (is_preempted_) {
    if (const auto same = at(last_.block); same != runnable.end()) return static_cast<size_t>(same - runnable.begin());
  }
  const auto unit_of = [&](uint64_t block) { return blocks_.at(block).unit; };
  uint64_t first_unit = no_block;
  bool any_started = !tracks_ || follows_ || all_begin_;
  for (size_t i = 0; i < runnable.size() && !any_started; ++i) {
    any_started = started_.count(unit_of(runnable[i])) != 0;
    first_unit = std::min(first_unit, unit_of(runnable[i]));
  }
  const auto is_candidate = [&](uint64_t block) {
    if (!tracks_ || follows_ || all_begin_) return true;
    return any_started ? started_.count(unit_of(block)) != 0 : unit_of(block) == first_unit;
  };
  // Ranks after the last block come first.
  const auto distance = [&](uint64_t block) { return block - last_.block - 1; };
  size_t best = runnable.size();
  for (size_t i = 0; i < runnable.size(); ++i) {
    if (!is_candidate(runnable[i])) continue;
    if (best == runnable.size() || distance(runnable[i]) < distance(runnable[best])) best = i;
  }
  return best;
}

uint32_t own_order::own_thread(uint64_t block, const uint32_t* ready, uint32_t warps, uint32_t current_warp) const {
  const bool runs_on = is_preempted_ && last_.block == block && is_ready(ready, warps, last_.thread);
  return runs_on ? last_.thread : first_ready(ready, warps, current_warp);
}

size_t own_order::next_block(const std::vector<uint64_t>& runnable) {
  if (wanted_) {
    const auto found = std::find(runnable.begin(), runnable.end(), wanted_->block);
    if (found != runnable.end()) return static_cast<size_t>(found - runnable.begin());
    wanted_.reset();
  }
  return own_block(runnable);
}

uint32_t own_order::next_thread(uint64_t block, const uint32_t* ready, uint32_t warps, uint32_t current_warp) {
  if (!wanted_) return own_thread(block, ready, warps, current_warp);
  if (!is_at_home_ && (wanted_->block != block || wanted_->polled)) return other_block;
  const order_switch chosen = *wanted_;
  wanted_.reset();
  if (chosen.block != block || !is_ready(ready, warps, chosen.thread)) {
    return own_thread(block, ready, warps, current_warp);
  }
  return chosen.thread;
}

void own_order::note_block(const std::vector<uint64_t>& runnable) {
  is_at_home_ = true;
  if (noted) own_block_ = runnable[own_block(runnable)];
}

void own_order::note_thread(uint64_t block, uint32_t chosen, const uint32_t* ready, uint32_t warps,
                            uint32_t current_warp) {
  if (chosen == other_block) {
    has_left_ = true;
    return;
  }
  const bool is_own =
      !has_left_ && (!is_at_home_ || own_block_ == block) && chosen == own_thread(block, ready, warps, current_warp);
  if (!follows_ && !is_own) note({launch_, last_, block, chosen, has_left_ && block == last_.block});
  if (tracks_ && !follows_) started_.insert(blocks_[block].unit);
  // The thread that stopped last continues, so its stop was no step of the order: removes that step.
  if (needs_place_ && block == last_.block && chosen == last_.thread) {
    needs_place_ = false;
    --noted->step_count;
  }
  is_at_home_ = has_left_ = is_preempted_ = false;
}

}  // namespace cohort::engine
