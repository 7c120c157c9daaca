// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/compare_waits.hpp"

#include "check/memory/tool_ports.hpp"
#include "check/order/accessor.hpp"
#include "check/order/clocks.hpp"
#include "check/report/sync_findings.hpp"
#include "check/sync/group_copies.hpp"
#include "check/sync/kept_pointers.hpp"

namespace cohort::check {

namespace {

// The calls at which the members of one barrier waited.
class compared_calls {
 public:
  void add(block_clock& b, wait_kind kind, uint32_t first, uint32_t end) {
    if (!b.waits) return;
    for (uint32_t i = first; i < end; ++i) add_thread(b, kind, i);
  }
  void add_lanes(block_clock& b, uint32_t warp, uint32_t lanes) {
    for (; b.waits && lanes; lanes &= lanes - 1) {
      add_thread(b, wait_kind::warp, warp * lanes_per_warp + static_cast<uint32_t>(__builtin_ctz(lanes)));
    }
  }
  void report(sync_problem problem, wait_kind kind) const {
    for (uint32_t i = 1; i < count_; ++i) add_sync_problem(problem, kind, side(0), side(i));
  }

 private:
  static constexpr uint32_t most_calls = 8;
  struct call {
    uint64_t number;
    const block_clock* block;
    uint32_t thread;
    uint32_t threads;
    const void* place;
    const cohort_call_frame* frame;
  };

  void add_thread(block_clock& b, wait_kind kind, uint32_t thread) {
    thread_wait& wait = (*b.waits)[thread];
    if (wait.call == 0 || wait.kind != kind) return;
    const uint64_t number = wait.call;
    wait.call = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      if (calls_[i].number != number) continue;
      ++calls_[i].threads;
      return;
    }
    if (count_ < most_calls) calls_[count_++] = {number, &b, thread, 1, wait.place, wait.frame};
  }

  sync_side side(uint32_t i) const {
    sync_side made = side_of(*calls_[i].block, calls_[i].thread, calls_[i].place);
    made.threads = calls_[i].threads;
    for (const cohort_call_frame* frame = calls_[i].frame; frame && made.calls.size() < most_calls;
         frame = frame->outer) {
      made.calls.push_back(frame->place);
    }
    return made;
  }

  call calls_[most_calls];
  uint32_t count_ = 0;
};

// Reports a barrier of the grid (`kind`) at which threads of the block wait while others have returned. Names the first
// waiting thread.
void report_returned(const block_clock& b, wait_kind kind) {
  const uint32_t returned = b.block.threads() - b.block.live_threads();
  if (returned == 0 || !b.waits) return;
  for (uint32_t i = 0; i < b.waits->size(); ++i) {
    const thread_wait& wait = (*b.waits)[i];
    if (wait.call == 0 || wait.kind != kind) continue;
    sync_side side = side_of(b, i, wait.place);
    side.threads = b.block.live_threads();
    return add_sync_problem(sync_problem::returned, kind, side, {});
  }
}

// A number for the call or wait `number` within the calls of `frame`.
uint64_t path_in(const cohort_call_frame* frame, uint64_t number) {
  return frame ? (frame->path ^ number) * 0x9e3779b97f4a7c15u ^ number >> 32 : number;
}

}  // namespace

void compare_waits(block_clock& b, wait_kind kind, uint32_t first, uint32_t end) {
  compared_calls calls;
  calls.add(b, kind, first, end);
  calls.report(sync_problem::divergent, kind);
}

void compare_lanes(block_clock& b, uint32_t warp, uint32_t lanes, bool exchanges) {
  compared_calls calls;
  calls.add_lanes(b, warp, lanes);
  if (exchanges) calls.report(sync_problem::divergent, wait_kind::warp);
}

void compare_cluster(tools::block_view b) {
  for (const tools::block_view member : b.cluster()) {
    if (block_clock* const clock = find_clock(member)) {
      compare_waits(*clock, wait_kind::cluster, 0, member.threads());
    }
  }
}

void compare_grid(tools::grid_view g, wait_kind kind) {
  if (!checks_sync) return;
  for_each_clock(g, [&](block_clock& b) {
    report_returned(b, kind);
    compare_waits(b, kind, 0, b.block.threads());
  });
}

void end_block(block_clock& b) {
  if (!checks_sync) return;
  drop_pointers_to(b);
  report_group_copies(b);
  if (b.threads) {
    for (uint32_t i = 0; i < b.threads->size(); ++i) {
      for (const started_copy& copy : (*b.threads)[i].copies) {
        add_sync_problem(sync_problem::unwaited_copy, wait_kind::block, side_of(b, i, copy.place), {});
      }
    }
  }
  if (!b.arrivals) return;
  for (uint32_t i = 0; i < b.arrivals->size(); ++i) {
    for (const void* const place : (*b.arrivals)[i]) {
      if (place) add_sync_problem(sync_problem::unwaited_arrival, wait_kind::block, side_of(b, i, place), {});
    }
  }
}

}  // namespace cohort::check

using namespace cohort::check;

extern "C" {

void cohort_check_wait(uint64_t call, uint32_t kind) {
  if (!checks_sync) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  thread_wait& wait = c.block->wait_of(c.thread);
  wait.place = __builtin_return_address(0);
  wait.call = path_in(wait.frame, call ? call : reinterpret_cast<uintptr_t>(wait.place));
  wait.kind = static_cast<wait_kind>(kind);
}

void cohort_check_enter_call(cohort_call_frame* frame, uint64_t call) {
  if (!checks_sync) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  thread_wait& wait = c.block->wait_of(c.thread);
  const void* const place = __builtin_return_address(0);
  *frame = {wait.frame, path_in(wait.frame, call ? call : reinterpret_cast<uintptr_t>(place)), place};
  wait.frame = frame;
}
void cohort_check_leave_call(const cohort_call_frame* frame) {
  if (!checks_sync) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  thread_wait& wait = c.block->wait_of(c.thread);
  if (wait.frame == frame) wait.frame = frame->outer;
}

void cohort_check_arrive(uint32_t barrier) {
  if (!checks_sync || barrier >= cohort_barriers) return;
  const accessor c = current_accessor(nullptr);
  if (c.block) c.block->arrivals_of(c.thread)[barrier] = __builtin_return_address(0);
}

void cohort_check_token(uint32_t barrier) {
  if (!checks_sync || barrier >= cohort_barriers) return;
  const accessor c = current_accessor(nullptr);
  if (c.block) c.block->arrivals_of(c.thread)[barrier] = nullptr;
}

}  // extern "C"
