// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/fiber/kernel_call.hpp"

#include <unwind.h>

#include <cstddef>

[[gnu::tls_model("initial-exec")]] __thread cohort::engine::kernel_exit cohort_kernel_exit = {};

#if defined(COHORT_CHECKED_CALLS)
extern "C" {

void cohort_kernel_threw(void);  // landing pad, with the exception as argument

// Personality of the frame that calls a kernel: stops exceptions, which must not leave it.
_Unwind_Reason_Code cohort_kernel_personality(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                              _Unwind_Exception* exception, _Unwind_Context* frame) {
  if (actions & _UA_SEARCH_PHASE) return _URC_HANDLER_FOUND;
  if (!(actions & _UA_HANDLER_FRAME)) return _URC_CONTINUE_UNWIND;
  _Unwind_SetGR(frame, __builtin_eh_return_data_regno(0), reinterpret_cast<_Unwind_Word>(exception));
  _Unwind_SetIP(frame, reinterpret_cast<_Unwind_Ptr>(&cohort_kernel_threw));
  return _URC_INSTALL_CONTEXT;
}

}  // extern "C"
#endif

namespace cohort::engine {

static_assert(offsetof(kernel_exit, home) == 0 && offsetof(kernel_exit, rescue_stack) == 8 &&
              offsetof(kernel_exit, damaged) == 16 && offsetof(kernel_exit, landing) == 24 &&
              offsetof(kernel_exit, next) == 32 && offsetof(kernel_exit, worker) == 40 &&
              offsetof(kernel_exit, call) == 48 && offsetof(kernel_exit, threw) == 72);

void start_kernel(fiber& f, stack& s, const kernel_call& call) {
#if defined(COHORT_CHECKED_CALLS)
  if (!cohort_kernel_exit.trusted) {
    f.stack = &s;
    context& c = *f.registers;
    c.words[context::resume] = reinterpret_cast<void*>(&cohort_kernel_start);
    c.words[context::stack_pointer] = s.top;
    c.words[context::frame_pointer] = nullptr;
    c.words[context::call] = reinterpret_cast<void*>(call.entry);
    c.words[context::call + 1] = call.arguments;
    c.words[context::call + 2] = const_cast<cohort_gang*>(call.gang);
    return;
  }
#endif
  s.call = call;
  start(f, s, cohort_kernel_exit.loop, &s);
}

}  // namespace cohort::engine
