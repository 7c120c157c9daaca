// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Context switch with <ucontext.h>, for CPUs without another implementation. Slow: each switch is a system call for the
// signal mask. A context is a ucontext_t at the low end of its stack; the context of the OS thread itself is in a
// thread-local variable.
#include <ucontext.h>

#include <cstdint>

#include "engine/fiber/switch.hpp"

namespace {

thread_local ucontext_t home_context;
thread_local ucontext_t* running = nullptr;

struct start {
  ucontext_t context;
  void (*entry)(void*);
  void* argument;
};

// makecontext passes ints only, so the pointer is split into two.
void enter(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<start*>((static_cast<uintptr_t>(high) << 32) | low);
  self->entry(self->argument);
  __builtin_trap();
}

}  // namespace

extern "C" void cohort_switch(cohort::engine::context* from, const cohort::engine::context* to) {
  ucontext_t* saved = running ? running : &home_context;
  from->words[0] = saved;
  from->words[1] = saved;  // no longer null, which shows that the context has started
  running = static_cast<ucontext_t*>(to->words[0]);
  swapcontext(saved, running);
}

extern "C" void cohort_make_context(cohort::engine::context* made, void* low, void* top, void (*entry)(void*),
                                    void* argument) {
  auto* self = static_cast<start*>(low);
  self->entry = entry;
  self->argument = argument;
  getcontext(&self->context);
  char* bottom = static_cast<char*>(low) + ((sizeof(start) + 63) / 64) * 64;
  self->context.uc_stack.ss_sp = bottom;
  self->context.uc_stack.ss_size = static_cast<size_t>(static_cast<char*>(top) - bottom);
  self->context.uc_link = nullptr;
  const auto address = reinterpret_cast<uintptr_t>(self);
  makecontext(&self->context, reinterpret_cast<void (*)()>(enter), 2, static_cast<unsigned>(address >> 32),
              static_cast<unsigned>(address));
  made->words[0] = &self->context;
  made->words[1] = &self->context;
}
