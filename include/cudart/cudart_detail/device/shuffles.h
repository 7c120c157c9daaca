// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shfl_sync, __shfl_up_sync, __shfl_down_sync, __shfl_xor_sync: values of other lanes, in segments of `width`. PTX's
// rule for `shfl` gives the source lane. A lane without a source keeps its own value. The value of a lane outside the
// mask is undefined in CUDA and zero here.
#pragma once

#include "lanes.h"

COHORT_DEVICE_FUNCTION void cohort_check_width(int width) {
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) {
    cohort_fail(719, "a shuffle has width %d; use a power of two from 1 to 32", width);
  }
}

struct cohort_shuffle_index {
  COHORT_DEVICE_FUNCTION unsigned int source(unsigned int lane, unsigned int index, unsigned int width) {
    return (lane & ~(width - 1u)) | (index & (width - 1u));
  }
};
struct cohort_shuffle_up {
  COHORT_DEVICE_FUNCTION unsigned int source(unsigned int lane, unsigned int delta, unsigned int width) {
    return (lane & (width - 1u)) >= (delta & 31u) ? lane - (delta & 31u) : lane;
  }
};
struct cohort_shuffle_down {
  COHORT_DEVICE_FUNCTION unsigned int source(unsigned int lane, unsigned int delta, unsigned int width) {
    return (lane & (width - 1u)) + (delta & 31u) < width ? lane + (delta & 31u) : lane;
  }
};
// A lane may read a partner in an earlier segment, but not one in a later segment.
struct cohort_shuffle_xor {
  COHORT_DEVICE_FUNCTION unsigned int source(unsigned int lane, unsigned int bits, unsigned int width) {
    const unsigned int partner = lane ^ (bits & 31u);
    return partner <= (lane | (width - 1u)) ? partner : lane;
  }
};

template <class Pattern, class T>
COHORT_DEVICE_FUNCTION T cohort_shuffle(unsigned int mask, T value, unsigned int argument, int width,
                                        const char* what) {
  cohort_check_width(width);
  const unsigned int lane = cohort::this_machine::lane();
  return cohort::this_machine::shuffle(cohort_existing_lanes(mask), value,
                                       Pattern::source(lane, argument, static_cast<unsigned int>(width)), what);
}

#define COHORT_SHUFFLES(type)                                                                                          \
  COHORT_DEVICE_FUNCTION type __shfl_sync(unsigned int mask, type value, int source, int width = 32) {                 \
    return cohort_shuffle<cohort_shuffle_index>(mask, value, static_cast<unsigned int>(source), width, "__shfl_sync"); \
  }                                                                                                                    \
  COHORT_DEVICE_FUNCTION type __shfl_up_sync(unsigned int mask, type value, unsigned int delta, int width = 32) {      \
    return cohort_shuffle<cohort_shuffle_up>(mask, value, delta, width, "__shfl_up_sync");                             \
  }                                                                                                                    \
  COHORT_DEVICE_FUNCTION type __shfl_down_sync(unsigned int mask, type value, unsigned int delta, int width = 32) {    \
    return cohort_shuffle<cohort_shuffle_down>(mask, value, delta, width, "__shfl_down_sync");                         \
  }                                                                                                                    \
  COHORT_DEVICE_FUNCTION type __shfl_xor_sync(unsigned int mask, type value, int lane_mask, int width = 32) {          \
    return cohort_shuffle<cohort_shuffle_xor>(mask, value, static_cast<unsigned int>(lane_mask), width,                \
                                              "__shfl_xor_sync");                                                      \
  }

COHORT_SHUFFLES(int)
COHORT_SHUFFLES(unsigned int)
COHORT_SHUFFLES(long)
COHORT_SHUFFLES(unsigned long)
COHORT_SHUFFLES(long long)
COHORT_SHUFFLES(unsigned long long)
COHORT_SHUFFLES(float)
COHORT_SHUFFLES(double)
#undef COHORT_SHUFFLES
