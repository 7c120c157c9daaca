// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: warp_size is a power of two, and at most the 32 lanes that a mask can name
#include <cohort/cohort.hpp>

struct machine : cohort::cpu::machine {
#if WRONG
  static constexpr uint32_t warp_size = 64;
#endif
};

static_assert(sizeof(cohort::detail::complete_machine<machine>) != 0, "");
