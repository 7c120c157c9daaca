// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inaccessible pages below stacks. A stack overflow faults there instead of overwriting the next stack.
#pragma once

#include <cstddef>

namespace cohort::engine {

// A frame without stack probes cannot step over a guard of this size. It costs address space only.
constexpr size_t guard_bytes = 64 * 1024;

// How the guards of a slab of stacks were made. A mapped guard splits a mapping, and a process has 65530 mappings by
// default. Linux 6.13 and later mark guard pages inside a mapping. On older systems stacks beyond some ten thousands
// have fewer guards.
enum class slab_guards {
  mapped,         // a guard below each stack, which takes two mappings
  marked,         // a guard below each stack, which takes no mapping
  mapped_at_end,  // one guard, below the lowest stack
  none
};

// Makes guards of `guard_bytes` in a slab of `count` stacks: at `memory` and every `pitch` bytes above.
slab_guards make_guards(char* memory, size_t pitch, size_t count);
// Stops counting the guards of a slab that is unmapped.
void forget_guards(slab_guards made, size_t count);

inline bool has_guard(slab_guards made, size_t stack) {
  return made == slab_guards::marked || made == slab_guards::mapped ||
         (made == slab_guards::mapped_at_end && stack == 0);
}

// Makes make_guards() work as on a system before Linux 6.13. For tests.
void do_not_mark_guards();

}  // namespace cohort::engine
