// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XORWOW: Marsaglia's xorwow ("Xorshift RNGs", 2003), five words with a counter. cuRAND's sequences are 2^67 steps
// apart.
#pragma once

#include "../device/macros.h"

struct curandStateXORWOW {
  unsigned int d;  // the counter
  unsigned int v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

constexpr unsigned int cohort_xorwow_counter_step = 362437;
constexpr int cohort_xorwow_sequence_exponent = 67;

// x^(2^k) modulo the characteristic polynomial of the five words.
constexpr unsigned int cohort_xorwow_skips[131][5] = {
#include "xorwow_skips.inc"
};

COHORT_BOTH_FUNCTION void cohort_xorwow_step(unsigned int (&v)[5]) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

// Skips 2^(first + k) steps for each bit k of `steps`; the counter stays. A table row costs 160 steps.
COHORT_BOTH_INLINE void cohort_xorwow_skip(unsigned int (&v)[5], unsigned long long steps, int first) {
  if (first == 0) {
    for (unsigned int k = 0; k < (steps & 127); ++k) cohort_xorwow_step(v);
    steps >>= 7, first = 7;
  }
  for (; steps != 0; steps >>= 1, ++first) {
    if ((steps & 1) == 0) continue;
    unsigned int sum[5] = {};
    for (int k = 0; k < 160; ++k) {
      const unsigned int chosen = 0u - ((cohort_xorwow_skips[first][k / 32] >> (k % 32)) & 1);
      for (int word = 0; word < 5; ++word) sum[word] ^= v[word] & chosen;
      cohort_xorwow_step(v);
    }
    for (int word = 0; word < 5; ++word) v[word] = sum[word];
  }
}

/// Sets up a XORWOW state.
/// @param seed chooses the sequence of 2^192 - 2^32 values
/// @param subsequence skips this many times 2^67 values
/// @param offset skips this many values more
COHORT_BOTH_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                    curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  unsigned int v[5] = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low};
  cohort_xorwow_skip(v, subsequence, cohort_xorwow_sequence_exponent);
  cohort_xorwow_skip(v, offset, 0);
  *state = {};
  for (int word = 0; word < 5; ++word) state->v[word] = v[word];
  state->d = 6615241u + low + high + cohort_xorwow_counter_step * static_cast<unsigned int>(offset);
}

/// Returns 32 bits of a XORWOW generator.
COHORT_BOTH_FUNCTION unsigned int curand(curandStateXORWOW_t* state) {
  cohort_xorwow_step(state->v);
  state->d += cohort_xorwow_counter_step;
  return state->v[4] + state->d;
}

/// Skips n values.
COHORT_BOTH_INLINE void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  cohort_xorwow_skip(state->v, n, 0);
  state->d += cohort_xorwow_counter_step * static_cast<unsigned int>(n);
}

/// Skips n subsequences, each of 2^67 values.
COHORT_BOTH_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  cohort_xorwow_skip(state->v, n, cohort_xorwow_sequence_exponent);
}
