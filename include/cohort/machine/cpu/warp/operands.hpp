// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of collectives for which the compiler plugin has vector code in gangs. Names and layouts are part of the
// border that port.hpp describes.
#pragma once

#include <stdint.h>

// The plugin identifies them by their resolve functions, which shuffle.hpp, vote.hpp and match.hpp define.
struct cohort_shuffle32 {  // cohort_resolve_shuffle32
  uint32_t value, source, result;
};
struct cohort_shuffle64 {  // cohort_resolve_shuffle64
  uint64_t value, result;
  uint32_t source;
};
struct cohort_match32 {  // cohort_resolve_match32
  uint32_t word, result;
};
struct cohort_match64 {  // cohort_resolve_match64
  uint64_t word;
  uint32_t result;
};
// cohort_resolve_ballot: a uint32_t, 0 or 1, which becomes the mask of the lanes that passed 1.
