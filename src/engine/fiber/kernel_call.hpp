// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kernels as the first frame of a stack. A kernel that writes beyond a local array overwrites the memory above
// its frame: registers that it saved, its return address, and its caller's frame. So no frame of the engine is above a
// kernel's, and after a return nothing is read from the stack or from a register: the place to continue at is in
// thread-local memory. Check values in the preserved registers and above the return address show the overrun.
//
// Sanitizer builds and CPUs without assembly make the calls from a C++ function and have no check values. That
// function, too, continues from thread-local memory only.
#pragma once

#include <cohort/machine/cpu/port.hpp>

#include "engine/fiber/fiber.hpp"

#if !defined(COHORT_ASAN) && !defined(COHORT_TSAN) && !defined(COHORT_PORTABLE_SWITCH) && \
    (defined(__x86_64__) || defined(__aarch64__))
#define COHORT_CHECKED_CALLS 1
#endif

namespace cohort::engine {

// Where execution continues when a kernel ends. The assembly reads all of it.
struct kernel_exit {
  const context* home = nullptr;  // resumed when a kernel has returned; null: `next` is called
  char* rescue_stack = nullptr;   // the top of a stack for `damaged`
  void (*damaged)() = nullptr;    // a check value was overwritten; does not return
  char* landing = nullptr;        // the top of a stack for `next`
  // Called after a kernel has returned. If it returns, `call` runs next on the kernel's stack; else it switches to
  // another fiber.
  void (*next)(void* worker) = nullptr;
  void* worker = nullptr;
  kernel_call call;
  void (*threw)(void* exception) = nullptr;  // called for an exception; a null argument stands for the one in flight
  // Entry function of a stack on which C++ calls the kernels; its argument is the stack.
  void (*loop)(void* stack) = nullptr;
  bool trusted = false;  // the kernel has no array to overrun: `loop` calls it, which is faster
};

}  // namespace cohort::engine

extern "C" {
[[gnu::tls_model("initial-exec")]] extern __thread cohort::engine::kernel_exit cohort_kernel_exit;

#if defined(COHORT_CHECKED_CALLS)
// Resume address of a context that calls a kernel: words[context::call] is the entry, the next two are the arguments
// and the gang.
void cohort_kernel_start(void);
// End of the code that calls kernels, which begins at cohort_kernel_start.
extern const char cohort_kernel_start_end[];
// Saves the running context in *home and calls the kernel on the stack that ends at `top`. Returns when *home is
// resumed, as it is by a kernel's return where kernel_exit::home is `home`.
void cohort_call_kernel(cohort::engine::context* home, void* top, void (*entry)(void**, const cohort_gang*),
                        void** arguments, const cohort_gang* gang);
#endif
}

namespace cohort::engine {

// For kernel_exit::loop: makes `call`, a call of a kernel. No exception leaves it.
template <class Call>
inline void call_unchecked(Call call) {
  try {
    call();
  } catch (...) {
    cohort_kernel_exit.threw(nullptr);
  }
}

// Makes `f` a fiber that makes `call` on `s`.
void start_kernel(fiber& f, stack& s, const kernel_call& call);

// Makes `call` on `s`, an unused stack, and returns when `home`, the running fiber, is resumed. `f`: registers for `s`.
inline void call_kernel(fiber& home, [[maybe_unused]] fiber& f, stack& s, const kernel_call& call) {
#if defined(COHORT_CHECKED_CALLS)
  cohort_call_kernel(home.registers, s.top, call.entry, call.arguments, call.gang);
#else
  start_kernel(f, s, call);
  switch_to(home, f);
#endif
}

// Whether `code` is the instruction that calls kernels. A fault there happens in a kernel's return.
inline bool is_kernel_return([[maybe_unused]] uintptr_t code) {
#if defined(COHORT_CHECKED_CALLS)
  return code >= reinterpret_cast<uintptr_t>(&cohort_kernel_start) &&
         code < reinterpret_cast<uintptr_t>(cohort_kernel_start_end);
#else
  return false;
#endif
}

}  // namespace cohort::engine
