// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes, matches and reductions of the lanes of a mask, and the mask of the converged lanes.
#pragma once

#include "lanes.h"

COHORT_DEVICE_FUNCTION unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return cohort::this_machine::ballot(cohort_existing_lanes(mask), predicate != 0, "__ballot_sync");
}
COHORT_DEVICE_FUNCTION int __any_sync(unsigned int mask, int predicate) {
  return cohort::this_machine::ballot(cohort_existing_lanes(mask), predicate != 0, "__any_sync") != 0;
}
// Exited lanes do not vote.
COHORT_DEVICE_FUNCTION int __all_sync(unsigned int mask, int predicate) {
  return cohort::this_machine::ballot(cohort_existing_lanes(mask), predicate == 0, "__all_sync") == 0;
}
COHORT_DEVICE_FUNCTION int __uni_sync(unsigned int mask, int predicate) {
  return cohort::this_machine::match_all<uint32_t>(cohort_existing_lanes(mask), predicate != 0, "__uni_sync") != 0;
}

COHORT_DEVICE_FUNCTION unsigned int __activemask() { return cohort::this_machine::active_lanes(); }

// Values match if their bits are equal.
#define COHORT_MATCHES(type, word)                                                                             \
  COHORT_DEVICE_FUNCTION unsigned int __match_any_sync(unsigned int mask, type value) {                        \
    return cohort::this_machine::match_any<word>(cohort_existing_lanes(mask), __builtin_bit_cast(word, value), \
                                                 "__match_any_sync");                                          \
  }                                                                                                            \
  COHORT_DEVICE_FUNCTION unsigned int __match_all_sync(unsigned int mask, type value, int* predicate) {        \
    const unsigned int lanes = cohort::this_machine::match_all<word>(                                          \
        cohort_existing_lanes(mask), __builtin_bit_cast(word, value), "__match_all_sync");                     \
    *predicate = lanes != 0;                                                                                   \
    return lanes;                                                                                              \
  }

COHORT_MATCHES(int, uint32_t)
COHORT_MATCHES(unsigned int, uint32_t)
COHORT_MATCHES(long, uint64_t)
COHORT_MATCHES(unsigned long, uint64_t)
COHORT_MATCHES(long long, uint64_t)
COHORT_MATCHES(unsigned long long, uint64_t)
COHORT_MATCHES(float, uint32_t)
COHORT_MATCHES(double, uint64_t)
#undef COHORT_MATCHES

#define COHORT_REDUCTION(name, type, expression)                                                              \
  COHORT_DEVICE_FUNCTION_ON_USE type cohort_reduce_##name(unsigned int mask, type value, const char* what) {  \
    struct operation {                                                                                        \
      __attribute__((device)) type operator()(type a, type b) const { return static_cast<type>(expression); } \
    } op;                                                                                                     \
    return cohort::this_machine::reduce_lanes(cohort_existing_lanes(mask), value, op, what);                  \
  }                                                                                                           \
  COHORT_DEVICE_FUNCTION_ON_USE type __reduce_##name##_sync(unsigned int mask, type value) {                  \
    return cohort_reduce_##name(mask, value, "__reduce_" #name "_sync");                                      \
  }

COHORT_REDUCTION(add, unsigned int, a + b)
COHORT_REDUCTION(add, int, static_cast<unsigned int>(a) + static_cast<unsigned int>(b))
COHORT_REDUCTION(min, unsigned int, a < b ? a : b)
COHORT_REDUCTION(min, int, a < b ? a : b)
COHORT_REDUCTION(max, unsigned int, a > b ? a : b)
COHORT_REDUCTION(max, int, a > b ? a : b)
COHORT_REDUCTION(and, unsigned int, a& b)
COHORT_REDUCTION(or, unsigned int, a | b)
COHORT_REDUCTION(xor, unsigned int, a ^ b)
#undef COHORT_REDUCTION

// The forms without a mask ended with compute capability 7.0. Programs may define overloads of their own: an ellipsis
// is the last choice of overload resolution.
#define COHORT_REMOVED(name)                                                                                    \
  __attribute__((device, unavailable(#name "() has no meaning when lanes of a warp run independently (compute " \
                                           "capability 7.0 and later); use " #name "_sync(mask, ...)"))) int    \
  name(...);

COHORT_REMOVED(__shfl)
COHORT_REMOVED(__shfl_up)
COHORT_REMOVED(__shfl_down)
COHORT_REMOVED(__shfl_xor)
COHORT_REMOVED(__any)
COHORT_REMOVED(__all)
COHORT_REMOVED(__ballot)
#undef COHORT_REMOVED
