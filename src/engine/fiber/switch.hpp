// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The context switch: the only machine-dependent part of the engine. One file per CPU implements it
// (switch_x86_64.S, switch_aarch64.S); switch_portable.cpp does it with <ucontext.h> everywhere else.
//
// What a switch keeps: the registers that the platform's calling convention preserves over a call. What it
// does not keep: signal mask, floating-point control words (a kernel must not change the rounding mode over a
// wait) and thread-local storage (a fiber stays on the OS thread that started it).
#pragma once

#include <cstddef>

namespace cohort::engine {

// Where a suspended context keeps its registers: not on its stack, because then each switch would wait for
// the page of the next stack before it knew anything else (measured: half of a switch).
struct alignas(64) context {
#if defined(__x86_64__) && !defined(COHORT_PORTABLE_SWITCH)
  static constexpr int resume = 1;
  void* words[8] = {};  // rsp, where to go on, rbx, rbp, r12 r13 r14 r15: one cache line
#elif defined(__aarch64__) && !defined(COHORT_PORTABLE_SWITCH)
  static constexpr int resume = 11;
  void* words[24] = {};  // x19..x30, sp, d8..d15
#else
  static constexpr int resume = 1;
  void* words[8] = {};  // the ucontext_t, kept at the low end of the stack
#endif

  // There is something to go on with: words[resume] is where.
  bool resumable() const { return words[resume] != nullptr; }
  void clear() { words[resume] = nullptr; }
};

}  // namespace cohort::engine

extern "C" {
// Saves the running context in *from and goes on in *to. A function that waits calls this last, as a tail
// call: it then resumes straight in the kernel, with one indirect jump and no return to predict.
void cohort_switch(cohort::engine::context* from, const cohort::engine::context* to);

#if defined(__x86_64__) && !defined(COHORT_PORTABLE_SWITCH)
#define COHORT_LIGHT_SWITCH 1
// The same for a caller that does not ask for its registers back (preserve_none): keeps stack and frame pointer only.
// Contexts left by either switch can be resumed by either.
void cohort_switch_light(cohort::engine::context* from, const cohort::engine::context* to);
// Where contexts left by cohort_switch go on first: it loads the other registers and returns.
void cohort_switch_restore(void);
#endif

// Makes *made a context that calls `entry(argument)` on the stack with lowest usable address `low` and highest
// address `top` (16-byte aligned). `entry` must not return.
void cohort_make_context(cohort::engine::context* made, void* low, void* top, void (*entry)(void*), void* argument);
}

namespace cohort::engine {

// The code address at which a suspended context will go on.
inline const void* resume_place(const context& c) {
#if defined(COHORT_LIGHT_SWITCH)
  if (c.words[context::resume] == reinterpret_cast<void*>(&cohort_switch_restore))
    return *static_cast<void* const*>(c.words[0]);
#endif
  return c.words[context::resume];
}

}  // namespace cohort::engine
