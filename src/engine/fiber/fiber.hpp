// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber: a stack, and the saved registers of the code that runs on it. Higher floors select the lanes that it runs.
#pragma once

#include "engine/fiber/sanitizer.hpp"
#include "engine/fiber/stack.hpp"
#include "engine/fiber/switch.hpp"

namespace cohort::engine {

struct fiber {
  engine::stack* stack = nullptr;  // valid while the fiber is started
  context* registers = nullptr;    // not on the stack, or each switch would load from another page

  bool started() const { return registers->resumable(); }
};

// Makes `f` a fiber that calls `entry(argument)` on `s`. `entry` must not return.
inline void start(fiber& f, stack& s, void (*entry)(void*), void* argument) {
  prepare_stack(s.sanitizer, s.low, static_cast<size_t>(s.top - s.low));
  f.stack = &s;
  cohort_make_context(f.registers, s.low, s.top, entry, argument);
}

// First statement of a fiber's entry function.
__attribute__((always_inline)) inline void begin(fiber& self) { after_switch(self.stack->sanitizer); }

// Saves the running fiber in `from` and resumes `to`. In tail position it is a jump, except under sanitizers.
__attribute__((always_inline)) inline void switch_to(fiber& from, fiber& to) {
  before_switch(&from.stack->sanitizer, to.stack->sanitizer);
  cohort_switch(from.registers, to.registers);
  after_switch(from.stack->sanitizer);
}

// Resumes `to` and never returns. The registers of the running fiber go to `last`. In tail position it is a jump, which
// leaves the return predictor unchanged.
__attribute__((always_inline)) inline void jump_to(fiber& to, context& last) {
  before_switch(nullptr, to.stack->sanitizer);
  cohort_switch(&last, to.registers);
}

// jump_to() from any position.
[[noreturn]] __attribute__((always_inline)) inline void leave_for(fiber& to, context& last) {
  jump_to(to, last);
  __builtin_unreachable();
}

}  // namespace cohort::engine
