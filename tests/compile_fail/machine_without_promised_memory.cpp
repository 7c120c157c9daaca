// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: threads_take_turns promises turn_memory, which is missing in this machine or has another type
#include <cohort/cohort.hpp>

struct machine : cohort::cpu::machine {
#if WRONG
  static void* turn_memory(uint32_t rank);
#endif
};

static_assert(sizeof(cohort::detail::complete_machine<machine>) != 0, "");
