// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The context switch. One file for each CPU implements it (switch_x86_64.S, switch_aarch64.S); switch_portable.cpp
// implements it with <ucontext.h> everywhere else.
//
// A switch saves the registers that the platform's calling convention preserves over a call. It does not save the
// signal mask, the floating-point control words (a kernel must not change the rounding mode over a wait) and
// thread-local storage (a fiber stays on the OS thread that started it).
#pragma once

#include <cstddef>

namespace cohort::engine {

// The saved registers of a suspended context, kept outside its stack. If they were on it, each switch would first load
// from the page of the next stack, which takes half of the time of a switch (measured).
struct alignas(64) context {
#if defined(__x86_64__) && !defined(COHORT_PORTABLE_SWITCH)
  static constexpr int stack_pointer = 0, resume = 1, frame_pointer = 3;
  static constexpr int call = 4;  // first of three words for a call of a kernel: entry, arguments, gang
  void* words[8] = {};            // rsp, resume address, rbx, rbp, r12 r13 r14 r15: one cache line
#elif defined(__aarch64__) && !defined(COHORT_PORTABLE_SWITCH)
  static constexpr int call = 0;  // first of three words for a call of a kernel: entry, arguments, gang
  static constexpr int frame_pointer = 10, resume = 11, stack_pointer = 12;
  void* words[24] = {};  // x19..x30, sp, d8..d15
#else
  static constexpr int resume = 1;
  void* words[8] = {};  // the ucontext_t, kept at the low end of the stack
#endif

  // True if the context was saved or made, and not cleared since: words[resume] is its resume address.
  bool resumable() const { return words[resume] != nullptr; }
  void clear() { words[resume] = nullptr; }
};

}  // namespace cohort::engine

extern "C" {
// Saves the running context in *from and resumes *to. A function that waits calls this last, as a tail call: the wait
// then resumes in the kernel itself, with one indirect jump and no return to predict.
void cohort_switch(cohort::engine::context* from, const cohort::engine::context* to);

#if defined(__x86_64__) && !defined(COHORT_PORTABLE_SWITCH)
#define COHORT_LIGHT_SWITCH 1
// cohort_switch() for a caller that preserves no registers (preserve_none): saves only stack and frame pointer. Either
// switch can resume contexts that the other has saved.
void cohort_switch_light(cohort::engine::context* from, const cohort::engine::context* to);
// Resume address of contexts that cohort_switch() has saved: loads the remaining registers and returns.
void cohort_switch_restore(void);
#endif

// Makes *made a context that calls `entry(argument)` on the stack with lowest usable address `low` and highest
// address `top` (16-byte aligned). `entry` must not return.
void cohort_make_context(cohort::engine::context* made, void* low, void* top, void (*entry)(void*), void* argument);
}

namespace cohort::engine {

// The code address at which a suspended context will continue.
inline const void* resume_place(const context& c) {
#if defined(COHORT_LIGHT_SWITCH)
  if (c.words[context::resume] == reinterpret_cast<void*>(&cohort_switch_restore))
    return *static_cast<void* const*>(c.words[0]);
#endif
  return c.words[context::resume];
}

// The lowest address of the stack frames that a suspended context will continue with; null: unknown.
inline const void* lowest_frame(const context& c) {
#if defined(COHORT_LIGHT_SWITCH)
  const bool holds_return_address = c.words[context::resume] == reinterpret_cast<void*>(&cohort_switch_restore);
  return static_cast<void* const*>(c.words[0]) + (holds_return_address ? 1 : 0);
#else
  (void)c;
  return nullptr;
#endif
}

}  // namespace cohort::engine
