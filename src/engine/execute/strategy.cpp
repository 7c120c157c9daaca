// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/execute/strategy.hpp"

#include <cxxabi.h>

#include <exception>
#include <string>
#include <typeinfo>

#include "engine/report/fault.hpp"
#include "engine/report/source_place.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/worker.hpp"

namespace cohort::engine {

namespace {

// Size of the stack on which a lane withdraws and the next one is selected. Listeners of events may need much of it.
constexpr size_t landing_bytes = 256 * 1024;

void fail_with_exception(worker& w, const std::string& type, const std::string& rest) {
  w.failed = {error_launch_failure, "an exception of type " + type + " left the kernel" + rest};
}

// Fails the launch after an exception: none may leave a fiber. `exception`: as the unwinder passes it to a landing pad,
// or null.
void kernel_threw(void* exception) {
  worker& w = *current_worker();
  if (exception) abi::__cxa_begin_catch(exception);
  try {
    throw;  // cppcheck-suppress rethrowNoCurrentException; the unwinder calls this function with one
  } catch (const std::exception& e) {
    fail_with_exception(w, demangle(typeid(e).name()), std::string(": ") + e.what());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    fail_with_exception(w, type ? demangle(type->name()) : "unknown", "");
  }
  if (exception) abi::__cxa_end_catch();
  give_up(w);
}

// Fails the launch: the kernel has overwritten check values above its frame.
void kernel_overran() {
  worker& w = *current_worker();
  w.failed = {};
  note_overrun(w);
  give_up(w);
}

void leave_home(void* raw) {
  worker& w = *static_cast<worker*>(raw);
  leave_for(w.home, w.discarded);
}

// Entry function of a stack that makes one call.
void run_call(void* raw) {
  stack& s = *static_cast<stack*>(raw);
  after_switch(s.sanitizer);
  call_unchecked([&s] { make_call(s.call); });
  leave_home(cohort_kernel_exit.worker);
}

void prepare(worker& w, const context* home, void (*next)(void*), void (*loop)(void*)) {
  kernel_exit& exit = cohort_kernel_exit;
  exit.home = home;
  exit.rescue_stack = rescue_stack(w);
  exit.damaged = kernel_overran;
  exit.landing = w.landing.get() + landing_bytes - reinterpret_cast<uintptr_t>(w.landing.get()) % 4096 - 2048;
  exit.next = next;
  exit.loop = loop;
  exit.worker = &w;
  exit.threw = kernel_threw;
  exit.trusted = (w.grid->launch->kernel->flags & cohort_kernel_no_locals) != 0;
}

}  // namespace

void return_kernels_home(worker& w) { prepare(w, w.home.registers, leave_home, run_call); }

void continue_kernels_in(worker& w, void (*next)(void*), void (*loop)(void*)) {
  if (!w.landing) w.landing.reset(new char[landing_bytes]);
  prepare(w, nullptr, next, loop);
}

}  // namespace cohort::engine
