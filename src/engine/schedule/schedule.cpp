// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <numeric>

namespace cohort::engine {

namespace {

constexpr uint32_t lanes = 32;  // lanes of a warp
// Preemptions are at steps below a random power of two up to this, because the number of steps of a launch is unknown.
constexpr uint64_t most_step_bits = 14;

uint32_t lowest_bit(uint32_t mask) { return static_cast<uint32_t>(__builtin_ctz(mask)); }

uint32_t count_ready(const uint32_t* ready, uint32_t warps) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < warps; ++i) count += static_cast<uint32_t>(__builtin_popcount(ready[i]));
  return count;
}

int64_t positive(uint64_t bits) { return static_cast<int64_t>(bits >> 1); }

order_kind kind_of(const plan& p, random_source& chooser) {
  if (p.number == 0) return order_kind::own;
  return p.depth == 0 && chooser.one_in(3) ? order_kind::at_random : order_kind::by_priority;
}

}  // namespace

schedule::schedule(const plan& p) : schedule(p, random_source(mix(p.number))) {}

schedule::schedule(const plan& p, random_source chooser)
    : seed_(p.number), kind_(kind_of(p, chooser)), own_(p.switches, kind_ == order_kind::own), random_(p.number) {
  preemptions_ = p.depth ? p.depth - 1 : static_cast<uint32_t>(chooser.below(3));
}

void schedule::begin_launch(const launch_facts& facts) {
  own_.begin_launch(facts);
  launch_seed_ = mix(seed_, ++launches_);
  random_ = random_source(launch_seed_);
  blocks_.clear();
  steps_ = 0;
  lowest_ = 0;
  leaves_block_ = false;
  preemption_rate_ = uint64_t{1} << (1 + random_.below(6));
  change_steps_.clear();
  for (uint32_t i = 0; kind_ == order_kind::by_priority && i < preemptions_; ++i) {
    change_steps_.push_back(1 + random_.below(uint64_t{1} << (1 + random_.below(1 + random_.below(most_step_bits)))));
  }
}

uint32_t schedule::blocks_at_once(uint32_t most) const {
  if (kind_ == order_kind::own) return 1;
  constexpr uint32_t counts[] = {1, 2, 3, 4, 8, 16};
  return std::min(most, counts[mix(launch_seed_, 1) % std::size(counts)]);
}

uint64_t schedule::unit_to_begin(uint64_t number, uint64_t count, uint64_t wanted) {
  if (count > 1) ++counts().choices;
  if (kind_ == order_kind::own) return own_.unit_to_begin(number, wanted);
  const uint64_t unit = number < count ? seeded_unit(number, count) : number;
  own_.note_unit(unit);
  return unit;
}

uint64_t schedule::seeded_unit(uint64_t number, uint64_t count) const {
  switch (mix(launch_seed_, 2) % 4) {
    case 0:
      return number;
    case 1:
      return count - 1 - number;
    default:
      break;
  }
  uint64_t factor = 1 + mix(launch_seed_, 3) % count;
  while (std::gcd(factor, count) != 1) ++factor;
  const unsigned __int128 product = static_cast<unsigned __int128>(factor) * number + mix(launch_seed_, 4) % count;
  return static_cast<uint64_t>(product % count);
}

void schedule::begin_block(uint64_t block, uint32_t threads) {
  own_.begin_block(block, threads);
  if (kind_ != order_kind::by_priority) return;
  const uint64_t block_seed = mix(launch_seed_, mix(block));
  block_priorities& b = blocks_[block];
  b.of_block = positive(block_seed);
  b.of_threads.resize(threads);
  // Half of the launches order whole warps: a random order of lanes almost never runs one warp entirely before another.
  const bool by_warp = mix(launch_seed_, 5) % 2;
  const uint64_t inside = mix(launch_seed_, 6) % 3;
  for (uint32_t i = 0; i < threads; ++i) {
    const uint64_t random = mix(block_seed, by_warp ? i / lanes : i);
    const uint64_t place = inside == 0   ? lanes - i % lanes
                           : inside == 1 ? i % lanes
                                         : mix(block_seed, ~uint64_t{i}) % 256;
    b.of_threads[i] = positive(by_warp ? (random & ~uint64_t{0xffff}) | place << 1 : random);
  }
}

// True at a step at which a thread loses its priority.
bool schedule::step() {
  time_ += nanoseconds_of_a_step;
  ++steps_;
  return std::find(change_steps_.begin(), change_steps_.end(), steps_) != change_steps_.end();
}

size_t schedule::next_block(const std::vector<uint64_t>& runnable) {
  other_blocks_ = runnable.size() - 1;
  const bool has_left = leaves_block_;
  leaves_block_ = false;
  if (other_blocks_) ++counts().choices;
  own_.note_block(runnable);
  return kind_ == order_kind::own ? own_.next_block(runnable) : seeded_block(runnable, has_left);
}

size_t schedule::seeded_block(const std::vector<uint64_t>& runnable, bool has_left) {
  if (kind_ == order_kind::at_random) {
    const size_t chosen = random_.below(runnable.size());
    return has_left && other_blocks_ && runnable[chosen] == left_block_ ? (chosen + 1) % runnable.size() : chosen;
  }
  size_t best = 0;
  for (size_t i = 1; i < runnable.size(); ++i) {
    if (blocks_[runnable[i]].of_block > blocks_[runnable[best]].of_block) best = i;
  }
  return best;
}

uint32_t schedule::random_ready(const uint32_t* ready, uint32_t warps) {
  uint64_t skipped = random_.below(count_ready(ready, warps));
  for (uint32_t i = 0;; ++i) {
    const auto count = static_cast<uint32_t>(__builtin_popcount(ready[i]));
    if (skipped >= count) {
      skipped -= count;
      continue;
    }
    uint32_t left = ready[i];
    for (; skipped; --skipped) left &= left - 1;
    return i * lanes + lowest_bit(left);
  }
}

uint32_t schedule::best_ready(const block_priorities& b, const uint32_t* ready, uint32_t warps) const {
  uint32_t best = other_block;
  for (uint32_t i = 0; i < warps; ++i) {
    for (uint32_t left = ready[i]; left; left &= left - 1) {
      const uint32_t thread = i * lanes + lowest_bit(left);
      if (best == other_block || b.of_threads[thread] > b.of_threads[best]) best = thread;
    }
  }
  return best;
}

uint32_t schedule::next_thread(uint64_t block, const uint32_t* ready, uint32_t warps, uint32_t current_warp) {
  const bool changes = step();
  if (count_ready(ready, warps) > 1) ++counts().choices;
  const uint32_t chosen = kind_ == order_kind::own ? own_.next_thread(block, ready, warps, current_warp)
                                                   : seeded_thread(block, ready, warps, changes);
  own_.note_thread(block, chosen, ready, warps, current_warp);
  return chosen;
}

uint32_t schedule::seeded_thread(uint64_t block, const uint32_t* ready, uint32_t warps, bool changes) {
  if (leaves_block_) {
    left_block_ = block;
    return other_block;
  }
  if (kind_ == order_kind::at_random) {
    return other_blocks_ && random_.one_in(4) ? other_block : random_ready(ready, warps);
  }
  block_priorities& b = blocks_[block];
  const uint32_t best = best_ready(b, ready, warps);
  if (!changes) return best;
  if (other_blocks_ && random_.one_in(2)) {
    b.of_block = --lowest_;
    return other_block;
  }
  b.of_threads[best] = --lowest_;
  return best_ready(b, ready, warps);
}

bool schedule::preempts(uint64_t block, uint32_t thread, bool alone, const void* place) {
  ++counts().preemption_points;
  const bool changes = step();
  const bool is_switched = own_.pass_point(block, thread);
  const bool stops = kind_ == order_kind::own ? is_switched : seeded_preemption(block, thread, alone, changes);
  if (stops) own_.preempt(block, thread, place);
  return stops;
}

bool schedule::seeded_preemption(uint64_t block, uint32_t thread, bool alone, bool changes) {
  if (alone && !other_blocks_) return false;
  if (kind_ == order_kind::at_random ? !random_.one_in(preemption_rate_) : !changes) return false;
  leaves_block_ = other_blocks_ && (alone || random_.one_in(2));
  if (kind_ == order_kind::at_random) return true;
  block_priorities& b = blocks_[block];
  (leaves_block_ ? b.of_block : b.of_threads[thread]) = --lowest_;
  return true;
}

void schedule::spun(uint64_t block, uint32_t thread) {
  if (kind_ != order_kind::by_priority) return;
  block_priorities& b = blocks_[block];
  b.of_threads[thread] = --lowest_;
  b.of_block = --lowest_;
}

}  // namespace cohort::engine
