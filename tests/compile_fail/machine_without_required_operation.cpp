// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: match_any is missing in this machine or has another type
#include <cohort/cohort.hpp>

struct machine : cohort::cpu::machine {
#if WRONG
  static bool match_any(uint32_t mask, uint32_t word, const char* op_name);
#endif
};

static_assert(sizeof(cohort::detail::complete_machine<machine>) != 0, "");
