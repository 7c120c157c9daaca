// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker.hpp"

#include <sched.h>

#include <algorithm>
#include <new>

#include "fault.hpp"
#include "relax.hpp"
#include "report.hpp"
#include "schedule.hpp"

__thread const cohort_thread_context* cohort_current_thread = nullptr;

namespace cohort::engine {

__thread running_warp running = {};

namespace {

__thread worker* this_worker = nullptr;

// Rounds in which nothing but spinning threads ran before a plain grid starts one more block beside them.
constexpr uint32_t patience = 16;
// Looks at the grid's barrier before the OS is asked to wait: a wake-up costs as much as a thousand of them.
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
    if (g.launch->kernel->block_entry && !g.launch->cooperative) {
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
}

void worker::begin_block(uint64_t rank) {
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
}

bool worker::begin_next_block() {
  if (grid->launch->cooperative) return false;
  const uint64_t rank = grid->next_block.fetch_add(1, std::memory_order_relaxed);
  if (rank >= grid->blocks) return false;
  begin_block(rank);
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
  if (g.launch->cooperative) {
    const uint64_t share = static_cast<uint64_t>(index);
    for (uint64_t r = g.blocks * share / g.workers; r < g.blocks * (share + 1) / g.workers; ++r) begin_block(r);
  }
  uint32_t idle_rounds = 0;
  uint64_t progress_seen = 0;
  for (;;) {
    rounds.store(rounds.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (resident.empty() && !begin_next_block()) return;
    bool ran = false;
    for (size_t i = 0; i < resident.size();) {
      block& b = *resident[i];
      if (b.at_grid && b.at_grid == b.live && g.generation.load(std::memory_order_acquire) != b.generation) open_grid_barrier(b);
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
        if (g.launch->cooperative && g.leave() == grid::arrival::stuck) g.stuck.store(true, std::memory_order_relaxed);
        spare.push_back(std::move(resident[i]));
        resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      if (!b.warps_ready && b.at_grid != b.live && !b.spins()) {
        report_stuck(b);
        return abandon();
      }
      ++i;
    }
    if (g.stuck.load(std::memory_order_relaxed) && g.claim()) {
      g.fail(error_launch_failure, describe_stuck_grid(g));
      return abandon();
    }
    const uint64_t now = progress.load(std::memory_order_relaxed);
    if (now != progress_seen) idle_rounds = 0;
    progress_seen = now;
    bool spinning = false;
    for (auto& b : resident) spinning |= b->spins();
    if (spinning) {
      if (g.expired.load(std::memory_order_relaxed) && g.claim()) {
        g.fail(error_launch_timeout, describe_spinning(g, resident));
        return abandon();
      }
      ++idle_rounds;
      if (idle_rounds >= patience && resident.size() < g.resident_limit && begin_next_block()) idle_rounds = 0;
      if (idle_rounds > 64) sched_yield();
      relax();
      for (auto& b : resident) wake_spinners(*b);
    } else if (!ran && !resident.empty() && !wait_for_grid(resident.front()->generation)) {
      return abandon();
    }
  }
}

// False if the launch failed meanwhile.
bool worker::wait_for_grid(uint32_t seen) {
  engine::grid& g = *grid;
  for (int look = 0; look < looks_before_sleep; ++look) {
    if (g.generation.load(std::memory_order_acquire) != seen) return !g.failed();
    relax();
  }
  g.generation.wait(seen, std::memory_order_acquire);
  return !g.failed();
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
    const uint64_t first = g.next_block.fetch_add(g.chunk, std::memory_order_relaxed);
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

// A fault interrupted a loop over threads, which alone knew how far it was. The block's threads are run once more, one by
// one, until the same happens: the launch has failed, so nobody may rely on what it has written.
void worker::find_faulting_thread() {
  failure first = failed;
  first.thread_known = false;
  failed = {};
  if (first.signal != abandon_signal()) run_on_loop_stack(probe_main);
  if (failed.signal != first.signal) failed = first;
  set_current_thread(&loop_thread);
}

void worker::report_failure() {
  if (!grid->claim()) return;
  const thread* t = current_thread();
  if (failed.signal) explain_fault(*this, *t->stack);
  grid->fail(failed.error, failed.plain_line ? failed.sentence : describe_failure(*grid, failed, t));
}

void worker::report_stuck(block& b) {
  if (!grid->claim()) return;
  grid->fail(error_launch_failure, describe_stuck_block(*grid, b));
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
    spare.push_back(std::move(b));
  }
  resident.clear();
}

}  // namespace cohort::engine
