// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "../fiber/cpu_pause.hpp"
#include "../report/fault.hpp"
#include "../report/report.hpp"
#include "../state/cluster.hpp"
#include "../sync/split_phase.hpp"
#include "../sync/suspend.hpp"

__thread const cohort_thread_context* cohort_current_thread = nullptr;

namespace cohort::engine {

__thread running_warp running = {};

namespace {

__thread worker* this_worker = nullptr;

// Rounds in which nothing but spinning threads ran before a plain grid starts one more block beside them.
constexpr uint32_t patience = 16;
// Looks for an event before the OS is asked to wait: a wake-up costs as much as a thousand of them.
constexpr int looks_before_sleep = 4000;

}  // namespace

worker* current_worker() { return this_worker; }

void worker::run(engine::grid& g) {
  grid = &g;
  os_thread = pthread_self();
  this_worker = this;
  failed = {};
  resolving = false;
  stacks.set_bytes(g.stack_bytes);
  prepare_faults(*this);
#if defined(COHORT_ASAN)
  {
    pthread_attr_t attributes;
    void* low = nullptr;
    size_t bytes = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_destroy(&attributes);
    home_sanitizer.bottom = low;
    home_sanitizer.bytes = bytes;
  }
#endif
#if defined(COHORT_TSAN)
  home_sanitizer.tsan = __tsan_get_current_fiber();
#endif
  try {
    if (g.launch->kernel->block_entry && !g.launch->cooperative && g.cluster_blocks == 1) {
      run_loop();
    } else {
      run_fibers();
    }
  } catch (const std::bad_alloc&) {
    failed = {error_memory_allocation, "no memory for the threads of one more block", nullptr, false};
    report_failure();
    abandon();
  }
  restore_faults(*this);
  this_worker = nullptr;
  if (g.launch->cooperative) {
    // Who sleeps may have waited for this worker's blocks.
    const uint32_t seen = g.shared->events.load(std::memory_order_seq_cst);
    idle_at.store(finished, std::memory_order_seq_cst);
    end_if_stuck(seen);
  }
}

block& worker::begin_block(uint64_t rank) {
  std::unique_ptr<block> b;
  if (spare.empty()) {
    b = std::make_unique<block>();
  } else {
    b = std::move(spare.back());
    spare.pop_back();
  }
  b->worker = this;
  b->shape(grid->launch->block);
  b->provide_shared(grid->launch->kernel->static_shared_bytes, grid->launch->dynamic_shared_bytes);
  b->begin(*grid, rank);
  if (grid->launch->cooperative) grid->resident[rank] = b.get();
  resident.push_back(std::move(b));
  return *resident.back();
}

void worker::begin_cluster(uint64_t number) {
  if (grid->cluster_blocks == 1) {
    begin_block(number);
    return;
  }
  clusters.push_back(std::make_unique<cluster>());
  cluster& c = *clusters.back();
  for (uint32_t rank = 0; rank < grid->cluster_blocks; ++rank) {
    block& b = begin_block(grid->block_of_cluster(number, rank));
    b.cluster = &c;
    c.blocks.push_back(&b);
  }
  c.live = grid->cluster_blocks;
}

bool worker::begin_next() {
  if (grid->launch->cooperative) return false;
  const uint64_t number = grid->next.fetch_add(1, std::memory_order_relaxed);
  if (number >= grid->clusters) return false;
  begin_cluster(number);
  return true;
}

// All threads of block number i have returned. A cluster's blocks go together, because the others may still look at
// its shared memory. False if it stays in its place.
bool worker::retire(size_t i) {
  block& b = *resident[i];
  cluster* c = b.cluster;
  if (!c) {
    spare.push_back(std::move(resident[i]));
    resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  const outer_barrier& barrier = b.outer_of(cohort_barrier_cluster);
  if (!b.retired) c->leave(barrier.sent && c->phase == barrier.phase);
  b.retired = true;
  if (c->live) return false;
  for (auto& r : resident) {
    if (r->cluster == c) spare.push_back(std::move(r));
  }
  std::erase(resident, nullptr);
  std::erase_if(clusters, [&](const auto& other) { return other.get() == c; });
  return true;
}

void worker::enter(block& b) {
  warp& w = b.warps[lowest(b.warps_ready)];
  thread* t = next_thread(&w);
  if (!t) return;
  if (!t->started() && !start_on_new_stack(*this, *t)) throw std::bad_alloc();
  set_current_thread(t);
  computing.store(true, std::memory_order_relaxed);
  before_switch(&home_sanitizer, t->stack->sanitizer);
  cohort_switch(&home, t->registers);
  after_switch(home_sanitizer);
  computing.store(false, std::memory_order_relaxed);
}

void worker::run_fibers() {
  engine::grid& g = *grid;
  session& shared = *g.shared;
  if (g.launch->cooperative) {
    const uint64_t share = static_cast<uint64_t>(index);
    for (uint64_t c = g.clusters * share / g.workers; c < g.clusters * (share + 1) / g.workers; ++c) begin_cluster(c);
  }
  uint32_t idle_rounds = 0;
  uint64_t progress_seen = 0;
  for (;;) {
    rounds.store(rounds.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    // Read before the blocks look at what they wait for: what happens after that look is a newer event.
    const uint32_t seen = shared.events.load(std::memory_order_acquire);
    if (resident.empty() && !begin_next()) return;
    bool ran = false;
    for (size_t i = 0; i < resident.size();) {
      block& b = *resident[i];
      open_outer_barriers(b, false);
      if (g.failed()) return abandon();
      if (!b.warps_ready) {
        ++i;
        continue;
      }
      enter(b);
      ran = true;
      if (failed.error) {
        report_failure();
        return abandon();
      }
      if (b.live == 0) {
        if (!retire(i)) {
          ++i;
        } else if (b.cluster) {
          i = 0;
        }
        continue;
      }
      if (!b.warps_ready && !b.waits_outside() && !b.spins()) {
        report_stuck(b);
        return abandon();
      }
      ++i;
    }
    const uint64_t now = progress.load(std::memory_order_relaxed);
    if (now != progress_seen) idle_rounds = 0;
    progress_seen = now;
    bool spinning = false;
    for (auto& b : resident) spinning |= b->spins();
    if (spinning) {
      if (g.expired.load(std::memory_order_relaxed) && shared.claim()) {
        shared.fail(error_launch_timeout, describe_spinning(g, resident));
        return abandon();
      }
      ++idle_rounds;
      if (idle_rounds >= patience && resident.size() < g.resident_limit && begin_next()) idle_rounds = 0;
      if (idle_rounds > 64) sched_yield();
      relax();
      for (auto& b : resident) wake_spinners(*b);
    } else if (!ran && !resident.empty()) {
      // A plain launch waits for nothing outside of this worker, so its cluster can never go on.
      if (!g.launch->cooperative) {
        report_stuck(**std::find_if(resident.begin(), resident.end(), [](const auto& b) { return b->live != 0; }));
        return abandon();
      }
      if (!wait_for_event(seen)) return abandon();
    }
  }
}

// False if the launch failed meanwhile.
bool worker::wait_for_event(uint32_t seen) {
  session& shared = *grid->shared;
  for (int look = 0; look < looks_before_sleep; ++look) {
    if (shared.events.load(std::memory_order_acquire) != seen) return !shared.failed();
    relax();
  }
  idle_at.store(idle(seen), std::memory_order_seq_cst);
  end_if_stuck(seen);
  shared.events.wait(seen, std::memory_order_acquire);
  idle_at.store(0, std::memory_order_relaxed);
  return !shared.failed();
}

void worker::end_if_stuck(uint32_t seen) {
  session& shared = *grid->shared;
  if (!shared.is_stuck(seen) || !shared.claim()) return;
  shared.fail(error_launch_failure, describe_stuck_session(shared));
}

namespace {

[[noreturn]] void leave_loop_stack(worker& w) {
  set_current_thread(nullptr);
  before_switch(nullptr, w.home_sanitizer);
  cohort_switch(&w.discarded, &w.home);
  __builtin_unreachable();
}

// Runs blocks one after another, each as one call; for kernels that cannot wait.
void loop_main(void* argument) {
  worker& w = *static_cast<worker*>(argument);
  after_switch(w.loop_stack->sanitizer);
  grid& g = *w.grid;
  block& b = *w.loop_block;
  const cohort_launch& launch = *g.launch;
  while (!g.failed()) {
    const uint64_t first = g.next.fetch_add(g.chunk, std::memory_order_relaxed);
    if (first >= g.blocks) break;
    const uint64_t end = std::min<uint64_t>(first + g.chunk, g.blocks);
    set_index(b.block_index, b.grid_dim, first);
    for (b.rank = first;;) {
      launch.kernel->block_entry(launch.arguments);
      if (++b.rank == end) break;
      if (++b.block_index[0] == b.grid_dim[0]) set_index(b.block_index, b.grid_dim, b.rank);
      w.advance();
    }
  }
  leave_loop_stack(w);
}

// The threads of one block one by one, for find_faulting_thread().
void probe_main(void* argument) {
  worker& w = *static_cast<worker*>(argument);
  after_switch(w.loop_stack->sanitizer);
  const block& b = *w.loop_block;
  const cohort_launch& launch = *w.grid->launch;
  for (uint32_t rank = 0; rank < b.threads_total; ++rank) {
    for (int axis = 0; axis < 3; ++axis) w.loop_thread.thread_index[axis] = b.threads[rank].thread_index[axis];
    w.loop_thread.thread_rank = rank;
    launch.kernel->thread_entry(launch.arguments);
  }
  leave_loop_stack(w);
}

}  // namespace

void worker::run_loop() {
  if (!loop_block) loop_block = std::make_unique<block>();
  block& b = *loop_block;
  b.worker = this;
  b.shape(grid->launch->block);
  b.provide_shared(grid->launch->kernel->static_shared_bytes, grid->launch->dynamic_shared_bytes);
  b.begin(*grid, 0);
  loop_thread.block = &b;
  loop_thread.warp = &b.warps[0];
  loop_thread.registers = &loop_registers;
  loop_stack = stacks.take();
  if (!loop_stack) throw std::bad_alloc();
  loop_thread.stack = loop_stack;
  run_on_loop_stack(loop_main);
  if (failed.signal) find_faulting_thread();
  if (failed.error) report_failure();
  loop_registers.clear();
  stacks.give(loop_stack);
  loop_stack = nullptr;
  set_current_thread(nullptr);
}

void worker::run_on_loop_stack(void (*entry)(void*)) {
  prepare_stack(loop_stack->sanitizer, loop_stack->low, static_cast<size_t>(loop_stack->top - loop_stack->low));
  cohort_make_context(&loop_registers, loop_stack->low, loop_stack->top, entry, this);
  set_current_thread(&loop_thread);
  computing.store(true, std::memory_order_relaxed);
  before_switch(&home_sanitizer, loop_stack->sanitizer);
  cohort_switch(&home, &loop_registers);
  after_switch(home_sanitizer);
  computing.store(false, std::memory_order_relaxed);
}

// A fault interrupted a loop over threads, which alone knew how far it was. The block's threads are run once more, one
// by one, until the same happens: the launch has failed, so nobody may rely on what it has written.
void worker::find_faulting_thread() {
  failure first = failed;
  first.thread_known = false;
  failed = {};
  if (first.signal != abandon_signal()) run_on_loop_stack(probe_main);
  if (failed.signal != first.signal) failed = first;
  set_current_thread(&loop_thread);
}

void worker::report_failure() {
  if (!grid->shared->claim()) return;
  const thread* t = failed.who ? failed.who : current_thread();
  if (failed.signal) explain_fault(*this, *t->stack);
  grid->shared->fail(failed.error, failed.plain_line ? failed.sentence : describe_failure(*grid, failed, t));
}

void worker::report_stuck(block& b) {
  if (!grid->shared->claim()) return;
  grid->shared->fail(error_launch_failure, b.cluster && b.waits_outside() ? describe_stuck_cluster(*grid, *b.cluster)
                                                                          : describe_stuck_block(*grid, b));
}

// Drops all that this worker holds of a launch that failed. Destructors of the kernels' objects do not run.
void worker::abandon() {
  // Until the report is written, its author reads the blocks of all workers.
  while (!grid->failed()) sched_yield();
  set_current_thread(nullptr);
  for (auto& b : resident) {
    for (uint32_t i = 0; i < b->threads_total; ++i) {
      thread& t = b->threads[i];
      if (!t.started()) continue;
      stacks.give(t.stack);
      t.registers->clear();
    }
    b->forget_waiters();
    spare.push_back(std::move(b));
  }
  resident.clear();
  clusters.clear();
}

}  // namespace cohort::engine
