// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers.hpp"

#include <cxxabi.h>

#include <exception>
#include <new>
#include <typeinfo>

#include "../report/source_place.hpp"
#include "../state/grid.hpp"
#include "../state/running.hpp"
#include "../state/worker.hpp"
#include "../sync/suspend.hpp"
#include "../sync/withdraw.hpp"

namespace cohort::engine {

namespace {

void fail_with_exception(worker& w, const std::string& type, const std::string& rest) {
  w.failed = {error_launch_failure, "an exception of type " + type + " left the kernel" + rest};
}

// False if an exception left the kernel: worker::failed states it.
bool run_kernel(worker& w) {
  const cohort_launch& launch = *w.grid->launch;
  try {
    launch.kernel->thread_entry(launch.arguments);
    return true;
  } catch (const std::exception& e) {
    fail_with_exception(w, demangle(typeid(e).name()), std::string(": ") + e.what());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    fail_with_exception(w, type ? demangle(type->name()) : "unknown", "");
  }
  return false;
}

// Entry function of each fiber. Leaves the fiber when the next lane has a stack of its own.
void fiber_main(void* argument) {
  worker& w = *static_cast<worker*>(argument);
  begin(*current_lane()->fiber);
  for (;;) {
    lane* self = current_lane();
    if (!run_kernel(w)) give_up(w);
    stack* mine = self->fiber->stack;
    lane* next = withdraw(self);
    set_current_lane(next);
    if (next && !next->fiber->started()) {
      next->fiber->stack = mine;
      continue;
    }
    w.stacks.give(mine);
    leave_for(next ? *next->fiber : w.home, w.discarded);
  }
}

}  // namespace

void fibers::run_share(worker& w) {
  w.fiber_entry = fiber_main;
  w.may_suspend = true;
  resident_blocks::run_share(w);
}

void fibers::run_block(worker& w, block& b) {
  lane* first = next_lane(&b.warps[lowest(b.warps_ready)]);
  if (!first) return;
  if (!first->fiber->started() && !start_fiber(w, *first)) throw std::bad_alloc();
  set_current_lane(first);
  w.computing.store(true, std::memory_order_relaxed);
  switch_to(w.home, *first->fiber);
  w.computing.store(false, std::memory_order_relaxed);
}

void fibers::abandon_block(worker& w, block& b) {
  for (uint32_t i = 0; i < b.threads_total; ++i) {
    fiber& f = b.fibers[i];
    if (!f.started()) continue;
    w.stacks.give(f.stack);
    f.registers->clear();
  }
}

}  // namespace cohort::engine
