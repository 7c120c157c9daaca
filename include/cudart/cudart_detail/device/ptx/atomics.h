// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for `atom.add` and `red.add` of 16-bit floats, which are their bits here. `order` is an
// __ATOMIC_ constant. They return the previous value.
#pragma once

#include "../small_floats/bfloat16_fma.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

#define COHORT_PTX_ATOMIC_ADD(name, sum)                                                                            \
  COHORT_PTX_FUNCTION unsigned short cohort_ptx_atomic_add_##name(void* address, unsigned short value, int order) { \
    typedef unsigned short __attribute__((may_alias)) word;                                                         \
    word* bits = static_cast<word*>(address);                                                                       \
    unsigned short old = __atomic_load_n(bits, __ATOMIC_RELAXED);                                                   \
    while (!__atomic_compare_exchange_n(bits, &old, sum(old, value), true, order, __ATOMIC_RELAXED)) {              \
    }                                                                                                               \
    return old;                                                                                                     \
  }

#define COHORT_PTX_SUM(a, b)         \
  __builtin_bit_cast(unsigned short, \
                     static_cast<_Float16>(__builtin_bit_cast(_Float16, a) + __builtin_bit_cast(_Float16, b)))
COHORT_PTX_ATOMIC_ADD(f16, COHORT_PTX_SUM)
#undef COHORT_PTX_SUM
#define COHORT_PTX_SUM(a, b) cohort_bfloat16_fma_bits(cohort_bfloat16_value(a), 1.0f, cohort_bfloat16_value(b))
COHORT_PTX_ATOMIC_ADD(bf16, COHORT_PTX_SUM)
#undef COHORT_PTX_SUM
#undef COHORT_PTX_ATOMIC_ADD

#endif
