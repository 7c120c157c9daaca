// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/resident_blocks.hpp"

#include <sched.h>

#include <algorithm>

#include <cohort/base/cpu_pause.hpp>

#include "engine/execute/idle.hpp"
#include "engine/report/report.hpp"
#include "engine/state/block.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/event.hpp"
#include "engine/sync/mbarrier.hpp"
#include "engine/sync/outer_barrier.hpp"
#include "engine/sync/suspend.hpp"

namespace cohort::engine {

namespace {

// Idle rounds before a plain grid starts one more block in addition to the spinning ones, and before a round yields the
// CPU.
constexpr uint32_t idle_rounds_before_next_block = 16;
constexpr uint32_t idle_rounds_before_yield = 64;
// Idle rounds before a plain grid holds more blocks than are resident at once.
constexpr uint32_t idle_rounds_before_more_blocks = 256;
// Idle rounds after which a scheduled launch counts as stuck. A limit in time would make runs of one seed differ.
constexpr uint32_t idle_rounds_of_a_schedule = 2'000'000;

// True if no other block depends on `b`.
bool may_drop(const block& b) { return !b.cluster && !b.grid->launch->cooperative; }

}  // namespace

void resident_blocks::run_share(worker& w) {
  const grid& g = *w.grid;
  idle_rounds_ = 0;
  progress_seen_ = 0;
  w.taken_next = w.taken_end = 0;
  for (;;) {
    w.begin_round();
    // Read before the blocks test their waits, so any later change counts as a newer event.
    const uint32_t seen = g.shared->events.load(std::memory_order_acquire);
    while (resident_.size() < blocks_at_once(w) && begin_next(w)) {
    }
    if (resident_.empty()) return;
    const outcome round = run_round(w);
    if (round == outcome::failed) return abandon(w);
    if (g.over_limit.load(std::memory_order_relaxed) && !resident_.empty()) {
      fail_over_limit(*w.grid, resident_);
      return abandon(w);
    }
    const uint64_t progress = w.progress.load(std::memory_order_relaxed);
    if (progress != progress_seen_) idle_rounds_ = 0;
    progress_seen_ = progress;
    if (any_spins()) {
      if (!keep_spinning(w)) return abandon(w);
    } else if (round == outcome::nothing_ran && !resident_.empty()) {
      // Blocks of a plain launch wait only for blocks of this worker, so this cluster can never run again.
      if (!g.launch->cooperative) {
        fail_stuck_block(first_live());
        return abandon(w);
      }
      if (!wait_for_event(w, seen)) return abandon(w);
    }
  }
}

void resident_blocks::run_cluster(worker& w, uint64_t number) {
  begin_cluster(w, number);
  while (!resident_.empty() && run_round(w) == outcome::ran) {
    for (auto& b : resident_) wake_spinners(*b);
  }
}

// Runs each resident block once, or the one that a schedule chooses.
resident_blocks::outcome resident_blocks::run_round(worker& w) {
  if (w.schedule) return run_chosen(w);
  outcome result = outcome::nothing_ran;
  for (size_t i = 0; i < resident_.size();) {
    block& b = *resident_[i];
    open_outer_barriers(b, false);
    wake_mbarrier_waits(b, false);
    if (w.grid->failed()) return outcome::failed;
    if (!b.warps_ready) {
      ++i;
      continue;
    }
    if (!run_resident(w, b, i)) return outcome::failed;
    result = outcome::ran;
  }
  return result;
}

resident_blocks::outcome resident_blocks::run_chosen(worker& w) {
  std::vector<uint64_t> runnable;
  std::vector<size_t> indices;
  for (size_t i = 0; i < resident_.size(); ++i) {
    open_outer_barriers(*resident_[i], false);
    wake_mbarrier_waits(*resident_[i], false);
    if (!resident_[i]->warps_ready) continue;
    runnable.push_back(resident_[i]->rank);
    indices.push_back(i);
  }
  if (w.grid->failed()) return outcome::failed;
  if (runnable.empty()) return outcome::nothing_ran;
  size_t i = indices[w.schedule->next_block(runnable)];
  return run_resident(w, *resident_[i], i) ? outcome::ran : outcome::failed;
}

// Runs `b`, block number i, until none of its lanes can run. Sets `i` to the block to run next. False if the launch
// failed.
bool resident_blocks::run_resident(worker& w, block& b, size_t& i) {
  raise_event(block_entered{&b});
  run_block(w, b);
  if (w.schedule) note_stop_place(w);
  if (b.live != 0) raise_event(block_left{&b});
  if (w.failed.error == error_assert && !w.resolving) {
    set_aside_failed_lane(w, b);
    if (b.warps_ready) return true;
  } else if (w.failed.error) {
    if (w.grid->over_limit.load(std::memory_order_relaxed)) describe_running_lane(w, b);
    fail_with_report(w);
    return false;
  }
  if (b.live == 0) {
    if (!retire(i)) {
      ++i;
    } else if (b.cluster) {
      i = 0;  // all blocks of the cluster were removed
    }
    return true;
  }
  if (!b.warps_ready && !b.waits_outside() && !b.waits_for_cluster() && !b.spins()) {
    if (w.grid->shared->assertions.any() && may_drop(b)) {
      drop(w, i);
      return true;
    }
    fail_stuck_block(b);
    return false;
  }
  ++i;
  return true;
}

namespace {

// The unit (a block or a cluster) that a schedule selects to begin; no_block: none.
uint64_t unit_wanted(const worker& w) {
  const uint64_t block = w.schedule->block_wanted();
  return block < w.grid->blocks ? w.grid->cluster_of_block(block) : no_block;
}

}  // namespace

// The number of blocks that begin before one of them has run. More than one if a schedule interleaves their threads.
size_t resident_blocks::blocks_at_once(const worker& w) const {
  const grid& g = *w.grid;
  if (!w.schedule || g.launch->cooperative) return 1;
  const size_t more = unit_wanted(w) == no_block ? 0 : resident_.size() + 1;
  return std::max<size_t>(w.schedule->blocks_at_once(g.resident_limit), std::min<size_t>(more, g.resident_limit));
}

// Makes spinning lanes ready again, and starts one more block if they have spun for long. False if the launch failed.
bool resident_blocks::keep_spinning(worker& w) {
  grid& g = *w.grid;
  if (g.expired.load(std::memory_order_relaxed)) {
    fail_spinning(g, resident_, 0);
    return false;
  }
  if (++idle_rounds_ > idle_rounds_of_a_schedule && w.schedule) {
    fail_spinning(g, resident_, idle_rounds_of_a_schedule);
    return false;
  }
  if (g.shared->transport) g.shared->transport->poll();
  if (g.shared->assertions.any() && idle_rounds_ > idle_rounds_before_yield) {
    fail_with_assertions(*g.shared);
    return false;
  }
  if (!g.launch->cooperative) begin_beside_spinners(w);
  if (idle_rounds_ > idle_rounds_before_yield && !w.schedule) sched_yield();
  detail::cpu_pause();
  for (auto& b : resident_) wake_spinners(*b);
  return true;
}

// Blocks that only spin may wait for a block that has not begun. A larger GPU might run it beside them, so the number
// of virtual multiprocessors is no limit: if the resident blocks are not enough, their number doubles.
void resident_blocks::begin_beside_spinners(worker& w) {
  const grid& g = *w.grid;
  const bool room = resident_.size() < g.resident_limit;
  if (idle_rounds_ < (room ? idle_rounds_before_next_block : idle_rounds_before_more_blocks)) return;
  const size_t most = room ? resident_.size() + 1 : std::min<size_t>(2 * resident_.size(), g.spinning_limit);
  while (resident_.size() < most && begin_next(w)) idle_rounds_ = 0;
}

bool resident_blocks::begin_next(worker& w) {
  grid& g = *w.grid;
  if (g.launch->cooperative) return begin_share(w, g.next.fetch_add(1, std::memory_order_relaxed));
  uint64_t number = 0;
  if (!take_block(w, 1, number)) return false;
  begin_cluster(w, w.schedule ? w.schedule->unit_to_begin(number, g.clusters, unit_wanted(w)) : number);
  return true;
}

// Begins an equal share of a cooperative launch, whose blocks are all resident at once. A worker that has finished its
// share takes that of a worker that has not woken up yet.
bool resident_blocks::begin_share(worker& w, uint64_t share) {
  const grid& g = *w.grid;
  if (share >= g.workers) return false;
  const uint64_t end = g.clusters * (share + 1) / g.workers;
  for (uint64_t c = g.clusters * share / g.workers; c < end; ++c) begin_cluster(w, c);
  return true;
}

void resident_blocks::begin_cluster(worker& w, uint64_t number) {
  const grid& g = *w.grid;
  if (g.cluster_blocks == 1) {
    begin_block(w, number);
    return;
  }
  clusters_.push_back(std::make_unique<cluster>());
  cluster& c = *clusters_.back();
  for (uint32_t rank = 0; rank < g.cluster_blocks; ++rank) {
    block& b = begin_block(w, g.block_of_cluster(number, rank));
    b.cluster = &c;
    c.blocks.push_back(&b);
  }
  c.live = g.cluster_blocks;
}

block& resident_blocks::begin_block(worker& w, uint64_t rank) {
  grid& g = *w.grid;
  std::unique_ptr<block> b;
  if (spare_.empty()) {
    b = std::make_unique<block>();
  } else {
    b = std::move(spare_.back());
    spare_.pop_back();
  }
  b->worker = &w;
  w.begin_round();  // tells the watchdog of progress: many blocks may begin before one of them runs
  b->shape(g.launch->block);
  b->begin(g, rank);
  if (g.launch->cooperative) g.resident[rank] = b.get();
  prepare_block(*b);
  if (w.schedule) w.schedule->begin_block(rank, b->threads_total);
  resident_.push_back(std::move(b));
  return *resident_.back();
}

// Removes block number i, whose lanes have all returned. A block of a cluster stays until all of the cluster can go,
// because the others may access its shared memory. Returns false if the block stays in its slot.
bool resident_blocks::retire(size_t i) {
  block& b = *resident_[i];
  cluster* c = b.cluster;
  if (!c) {
    raise_event(block_ended{&b});
    spare_.push_back(std::move(resident_[i]));
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  const bool has_ended = !b.left_cluster;
  if (has_ended) raise_event(block_ended{&b});
  leave_cluster(b);
  if (c->live) {
    if (has_ended) b.shared.overwrite();
    return false;
  }
  for (auto& r : resident_) {
    if (r->cluster == c) spare_.push_back(std::move(r));
  }
  std::erase(resident_, nullptr);
  std::erase_if(clusters_, [&](const auto& other) { return other.get() == c; });
  return true;
}

// Drops a block in which assertions failed and the other threads wait for the failed ones.
void resident_blocks::drop(worker& w, size_t i) {
  abandon_block(w, *resident_[i]);
  resident_[i]->forget_waiters();
  spare_.push_back(std::move(resident_[i]));
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
}

bool resident_blocks::any_spins() const {
  return std::any_of(resident_.begin(), resident_.end(), [](const auto& b) { return b->spins(); });
}

block& resident_blocks::first_live() const {
  return **std::find_if(resident_.begin(), resident_.end(), [](const auto& b) { return b->live != 0; });
}

void resident_blocks::abandon(worker& w) {
  // The worker that writes the report reads the blocks of all workers, so they stay until it is written.
  while (!w.grid->failed()) sched_yield();
  set_current_lane(nullptr);
  for (auto& b : resident_) {
    abandon_block(w, *b);
    b->forget_waiters();
    spare_.push_back(std::move(b));
  }
  resident_.clear();
  clusters_.clear();
}

namespace {

// Whether a block may replace one that has returned. Blocks of a cluster leave together, and those of a cooperative
// launch are all resident.
bool may_follow(const grid& g) { return !g.launch->cooperative && g.cluster_blocks == 1; }

bool must_return_to_home(const grid& g) { return g.failed() || g.over_limit.load(std::memory_order_relaxed); }

}  // namespace

bool take_block(worker& w, uint32_t chunk, uint64_t& number) {
  grid& g = *w.grid;
  if (w.taken_next == w.taken_end) {
    w.taken_next = g.next.fetch_add(chunk, std::memory_order_relaxed);
    w.taken_end = w.taken_next + chunk;
  }
  number = w.taken_next++;
  return number < g.next_end.load(std::memory_order_relaxed);
}

bool begin_next_block(worker& w, block& b) {
  grid& g = *b.grid;
  if (b.live || !may_follow(g) || must_return_to_home(g)) return false;
  uint64_t number = 0;
  if (!take_block(w, g.chunk, number)) return false;
  raise_event(block_ended{&b});
  b.shared.provide(*g.launch->kernel, g.launch->dynamic_shared_bytes, g.cluster_blocks > 1);
  b.begin_again(number);
  b.gangs.begin_again();
  raise_event(block_entered{&b});
  w.advance();
  return true;
}

}  // namespace cohort::engine
