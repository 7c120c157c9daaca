// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/thread_loop.hpp"

#include <algorithm>
#include <new>

#include "engine/execute/failed_lanes.hpp"
#include "engine/execute/forked_copy.hpp"
#include "engine/report/fault.hpp"
#include "engine/report/report.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"
#include "engine/sync/event.hpp"

namespace cohort::engine {
namespace {

// A gang computes all its lanes, even for a block with fewer threads. Such small blocks are faster thread by thread.
constexpr uint32_t least_threads_of_a_gang = 8;

}  // namespace

bool thread_loop::can_run(const grid& g) const {
  const cohort_kernel& kernel = *g.launch->kernel;
  const bool gangs = kernel.flags & cohort_kernel_block_gangs;
  const auto& block = g.launch->block;
  const bool is_on = !gangs || (g.device->gangs && block[0] * block[1] * block[2] >= least_threads_of_a_gang);
  return kernel.block_entry && is_on && !g.launch->cooperative && g.cluster_blocks == 1;
}

void thread_loop::run_share(worker& w) {
  grid& g = *w.grid;
  worker_ = &w;
  w.may_wait = w.may_suspend = false;
  if (!block_) block_ = std::make_unique<block>();
  block& b = *block_;
  b.worker = &w;
  b.shape(g.launch->block);
  b.begin(g, 0);
  gang_ = nullptr;
  if (g.gang_width) {
    b.gangs.shape(b, g);
    b.gangs.begin();
  }
  lane_.block = &b;
  lane_.warp = &b.warps[0];
  lane_.fiber = &fiber_;
  fiber_.registers = &registers_;
  fiber_.stack = w.stacks.take();
  if (!fiber_.stack) throw std::bad_alloc();
  chunk_end_ = b.rank;
  return_kernels_home(w);
  run_past_assertions(w, part::blocks);
  if (w.failed.needs_lane()) find_failed_thread(w);
  if (w.failed.error) fail_with_report(w);
  abandon(w);
}

void thread_loop::abandon(worker& w) {
  set_current_lane(nullptr);
  registers_.clear();
  if (fiber_.stack) w.stacks.give(fiber_.stack);
  fiber_.stack = nullptr;
}

// Repeats the loop after each thread whose assertion failed, from the next thread or gang of its block on.
void thread_loop::run_past_assertions(worker& w, part p) {
  first_thread_ = 0;
  part_ = p;
  for (;;) {
    w.home.registers->clear();  // a failing lane resumes here, and no call of the kernel has saved registers
    set_current_lane(&lane_);
    w.computing.store(true, std::memory_order_release);
    if (cohort_kernel_exit.trusted) {
      call_kernel(w.home, fiber_, *fiber_.stack, call_of_thread(run_on_stack, reinterpret_cast<void**>(this)));
    } else {
      run_part<false>();
    }
    w.computing.store(false, std::memory_order_relaxed);
    if (w.failed.error != error_assert) return;
    w.failed = {};
    first_thread_ = gang_ ? gang_->shape.first_rank + gang_->shape.lanes : lane_.thread_rank + 1;
  }
}

// Takes the blocks [block_->rank, chunk_end_). False if none is left.
bool thread_loop::take_chunk() {
  grid& g = *worker_->grid;
  block& b = *block_;
  if (g.failed()) return false;
  const uint64_t first = g.next.fetch_add(g.chunk, std::memory_order_relaxed);
  const uint64_t end = g.next_end.load(std::memory_order_relaxed);
  if (first >= end) return false;
  chunk_end_ = std::min<uint64_t>(first + g.chunk, end);
  b.rank = first;
  set_index(b.block_index, b.grid_dim, first);
  raise_event(block_entered{&b});
  return true;
}

// Makes the next block of the chunk current. pre: all threads of the block have returned
inline void thread_loop::finish_block() {
  block& b = *block_;
  raise_event(block_ended{&b});
  if (++b.rank == chunk_end_) return;
  if (++b.block_index[0] == b.grid_dim[0]) set_index(b.block_index, b.grid_dim, b.rank);
  raise_event(block_entered{&b});
  worker_->advance();
}

// Runs the threads of the block one by one, from first_thread_ on. False if one failed.
template <bool on_stack>
[[gnu::noinline]] bool thread_loop::run_threads() {
  const block& b = *block_;
  const cohort_launch& launch = *worker_->grid->launch;
  for (uint32_t rank = first_thread_; rank < b.threads_total; ++rank) {
    name_thread(rank);
    if (!call<on_stack>(call_of_thread(launch.kernel->thread_entry, launch.arguments))) return false;
  }
  return true;
}

// Runs the gangs of the block. False if one failed.
template <bool on_stack>
[[gnu::noinline]] bool thread_loop::run_gangs() {
  gang_table& table = block_->gangs;
  void** const arguments = worker_->grid->launch->arguments;
  for (uint32_t i = 0; i < table.count; ++i) {
    gang_ = &table.gangs[i];
    table.begin_loops(*gang_);
    if (!call<on_stack>({gang_->entry, arguments, &gang_->shape})) return false;
  }
  return true;
}

// Calls the kernel: from the home fiber on the kernel's stack, or as a function if the loop itself runs on that stack.
// False if the kernel failed; on its stack it then never returns.
template <bool on_stack>
inline bool thread_loop::call(const kernel_call& c) {
  if constexpr (on_stack) {
    make_call(c);
    return true;
  } else {
    call_kernel(worker_->home, fiber_, *fiber_.stack, c);
    return !worker_->failed.error;
  }
}

void thread_loop::run_on_stack(void** raw) { reinterpret_cast<thread_loop*>(raw)->run_part<true>(); }

template <bool on_stack>
void thread_loop::run_part() {
  if (part_ == part::blocks) return run_blocks<on_stack>();
  run_threads<on_stack>();
}

// Takes blocks and runs them.
template <bool on_stack>
void thread_loop::run_blocks() {
  worker& w = *worker_;
  const cohort_launch& launch = *w.grid->launch;
  if (first_thread_ != 0) {
    if (!run_threads<on_stack>()) return;
    finish_block();
  }
  // Read once: a block of 256 stores takes 11 ns, and reading these again for each block 2 ns.
  const kernel_call loop = call_of_thread(launch.kernel->block_entry, launch.arguments);
  const block& b = *block_;
  const bool gangs = w.grid->gang_width != 0;
  while (b.rank != chunk_end_ || take_chunk()) {
    if (!(gangs ? run_gangs<on_stack>() : call<on_stack>(loop))) return;
    finish_block();
  }
}

// Finds the thread of a fault: the loop kept its number in a register. A forked copy of the process runs the block's
// threads again, one by one or on fibers, until one of them faults in the same way. Their writes and output end with
// the copy.
void thread_loop::find_failed_thread(worker& w) {
  struct found {
    int signal;
    bool overrun;
    uint32_t rank;
    const void* place;
    const void* address;
  };
  const failure first = w.failed;
  // Gang versions that never wait do not exclude waits in the code for single threads.
  const bool gangs = w.grid->launch->kernel->flags & cohort_kernel_block_gangs;
  found answer{};
  const bool answered = first.signal != abandon_signal() && ask_forked_copy(answer, [&] {
                          if (gangs) {
                            const failed_lane lane = run_on_fibers(w, block_->rank, block_->rank);
                            return found{lane.signal, lane.overrun, lane.rank, lane.place, lane.address};
                          }
                          w.failed = {};
                          w.silent = true;
                          return_kernels_home(w);
                          run_past_assertions(w, part::threads_of_block);
                          return found{w.failed.signal, w.failed.overrun, lane_.thread_rank, w.failed.place,
                                       gang_ ? w.failed.address : first.address};
                        });
  set_current_lane(&lane_);
  w.failed.lane_known = answered && first.is_like(answer.signal, answer.overrun);
  if (w.failed.lane_known) {
    // A gang may fault at the address of any of its lanes. For a single thread the first address stays: malloc returns
    // other addresses in the copy.
    w.failed.address = answer.address;
    w.failed.place = answer.place;
    return name_thread(answer.rank);
  }
  if (!gang_) return;
  note_failed_lanes(w, *gang_);
  if (w.failed.lane_known) name_thread(static_cast<uint32_t>(w.failed.threads.front()));
}

// Makes `rank` the thread that a report names.
void thread_loop::name_thread(uint32_t rank) {
  for (int axis = 0; axis < 3; ++axis) lane_.thread_index[axis] = block_->lanes[rank].thread_index[axis];
  lane_.thread_rank = rank;
}

}  // namespace cohort::engine
