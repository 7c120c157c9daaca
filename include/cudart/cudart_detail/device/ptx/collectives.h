// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for inline PTX: collectives of a warp, with the instruction's name for reports, and
// asynchronous copies.
#pragma once

#include "../async_copies.h"
#include "../integer/integer_intrinsics.h"
#include "../lanes.h"
#include "../votes.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

COHORT_PTX_FUNCTION unsigned int cohort_ptx_shuffle(unsigned int mask, unsigned int value, unsigned int source,
                                                    const char* name) {
  return cohort::this_machine::shuffle(cohort_existing_lanes(mask), value, source, name);
}

COHORT_PTX_FUNCTION unsigned int cohort_ptx_vote_ballot(unsigned int mask, unsigned int vote, const char* name) {
  return cohort::this_machine::ballot(cohort_existing_lanes(mask), vote != 0, name);
}
COHORT_PTX_FUNCTION unsigned int cohort_ptx_vote_any(unsigned int mask, unsigned int vote, const char* name) {
  return cohort::this_machine::ballot(cohort_existing_lanes(mask), vote != 0, name) != 0;
}
COHORT_PTX_FUNCTION unsigned int cohort_ptx_vote_all(unsigned int mask, unsigned int vote, const char* name) {
  return cohort::this_machine::ballot(cohort_existing_lanes(mask), vote == 0, name) == 0;
}
COHORT_PTX_FUNCTION unsigned int cohort_ptx_vote_uni(unsigned int mask, unsigned int vote, const char* name) {
  return cohort::this_machine::match_all<uint32_t>(cohort_existing_lanes(mask), vote != 0, name) != 0;
}

#define COHORT_PTX_MATCH(bits)                                                                                     \
  COHORT_PTX_FUNCTION unsigned int cohort_ptx_match_any##bits(unsigned int mask, unsigned long long value,         \
                                                              const char* name) {                                  \
    return cohort::this_machine::match_any(cohort_existing_lanes(mask), static_cast<uint##bits##_t>(value), name); \
  }                                                                                                                \
  COHORT_PTX_FUNCTION unsigned int cohort_ptx_match_all##bits(unsigned int mask, unsigned long long value,         \
                                                              const char* name) {                                  \
    return cohort::this_machine::match_all(cohort_existing_lanes(mask), static_cast<uint##bits##_t>(value), name); \
  }
COHORT_PTX_MATCH(32)
COHORT_PTX_MATCH(64)
#undef COHORT_PTX_MATCH

#define COHORT_PTX_REDUCTION(operation, intrinsic, type)                                                \
  COHORT_PTX_FUNCTION unsigned int cohort_ptx_reduce_##operation(unsigned int mask, unsigned int value, \
                                                                 const char* name) {                    \
    return static_cast<unsigned int>(cohort_reduce_##intrinsic(mask, static_cast<type>(value), name));  \
  }
COHORT_PTX_REDUCTION(add, add, unsigned int)
COHORT_PTX_REDUCTION(min_u32, min, unsigned int)
COHORT_PTX_REDUCTION(min_s32, min, int)
COHORT_PTX_REDUCTION(max_u32, max, unsigned int)
COHORT_PTX_REDUCTION(max_s32, max, int)
COHORT_PTX_REDUCTION(and, and, unsigned int)
COHORT_PTX_REDUCTION(or, or, unsigned int)
COHORT_PTX_REDUCTION(xor, xor, unsigned int)
#undef COHORT_PTX_REDUCTION

COHORT_PTX_FUNCTION void cohort_ptx_sync_lanes(unsigned int mask, const char* name) {
  cohort::this_machine::sync_lanes(cohort_existing_lanes(mask), name);
}

// elect.sync: the lowest lane of the mask.
COHORT_PTX_FUNCTION unsigned int cohort_ptx_elect(unsigned int mask, const char* name) {
  const unsigned int lanes = cohort_existing_lanes(mask);
  cohort::this_machine::sync_lanes(lanes, name);
  return static_cast<unsigned int>(__builtin_ctz(lanes | 0x80000000u));
}

COHORT_PTX_FUNCTION unsigned int cohort_ptx_find_nth_set(unsigned int mask, unsigned int base, unsigned int nth) {
  return __fns(mask, base, static_cast<int>(nth));
}

// cp.async reads `taken` bytes and fills the others with zeros.
COHORT_PTX_FUNCTION void cohort_ptx_copy(void* to, const void* from, unsigned int bytes, unsigned int taken) {
  cohort_copy_async("cp.async", to, from, bytes, taken <= bytes ? bytes - taken : bytes + 1);
}

#endif
