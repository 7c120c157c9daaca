// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of a fiber: it runs one thread after another on its stack for as long as these return without having
// waited (the stack stays hot), and leaves when the next thread already has a stack of its own.
#include <cxxabi.h>

#include <exception>
#include <typeinfo>

#include "../report/source_place.hpp"
#include "../state/late_copies.hpp"
#include "../sync/split_phase.hpp"
#include "../sync/suspend.hpp"
#include "../sync/team.hpp"
#include "worker.hpp"

namespace cohort::engine {

namespace {

// False if an exception left the kernel; `w.failed` then says so.
bool run_kernel(worker& w) {
  const cohort_launch& launch = *w.grid->launch;
  try {
    launch.kernel->thread_entry(launch.arguments);
    return true;
  } catch (const std::exception& e) {
    w.failed = {error_launch_failure,
                "an exception of type " + demangle(typeid(e).name()) + " left the kernel: " + e.what(), nullptr, false};
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    w.failed = {error_launch_failure,
                "an exception of type " + (type ? demangle(type->name()) : "unknown") + " left the kernel", nullptr,
                false};
  }
  return false;
}

// Takes `self`, which has returned from the kernel, out of everything that could wait for it.
thread* finish(thread* self) {
  warp* w = self->warp;
  block* b = w->block;
  if (b->copies_used) b->copies[self->thread_rank].make_all();
  w->live &= ~self->lane_bit();
  leave_running_warp();
  self->registers->clear();
  --b->live;
  b->worker->advance();
  if (b->live && w->open) settle_meetings(*w);
  leave_barriers(*b, *w, self->lane_bit());
  if (b->teams_used) leave_teams(*b, *self);
  return next_thread(w);
}

[[noreturn]] void leave_for_good(worker& w, thread* next) {
  set_current_thread(next);
  before_switch(nullptr, next ? next->stack->sanitizer : w.home_sanitizer);
  cohort_switch(&w.discarded, next ? next->registers : &w.home);
  __builtin_unreachable();
}

}  // namespace

void fiber_main(void* argument) {
  worker& w = *static_cast<worker*>(argument);
  after_switch(current_thread()->stack->sanitizer);
  for (;;) {
    thread* self = current_thread();
    if (!run_kernel(w)) give_up(w);
    stack* mine = self->stack;
    thread* next = finish(self);
    if (next && !next->started()) {
      next->stack = mine;
      set_current_thread(next);
      continue;
    }
    w.stacks.give(mine);
    leave_for_good(w, next);
  }
}

bool start_on_new_stack(worker& w, thread& t) {
  stack* s = w.stacks.take();
  if (!s) return false;
  prepare_stack(s->sanitizer, s->low, static_cast<size_t>(s->top - s->low));
  t.stack = s;
  cohort_make_context(t.registers, s->low, s->top, fiber_main, &w);
  return true;
}

void give_up(worker& w) {
  thread* self = current_thread();
  before_switch(nullptr, w.home_sanitizer);
  // Saved, although it never resumes: a context that is resumable is one whose stack must be given back.
  cohort_switch(self->registers, &w.home);
  __builtin_unreachable();
}

}  // namespace cohort::engine
