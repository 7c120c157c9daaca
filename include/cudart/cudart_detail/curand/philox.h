// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox4_32_10 (Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011): a counter of 128
// bits, encrypted in ten rounds. The subsequence is the counter's upper half.
#pragma once

#include "../../vector_types.h"
#include "../device/macros.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;  // the words of the counter
  uint2 key;
  unsigned int STATE;  // number of words of `output` that are used
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

COHORT_BOTH_FUNCTION uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter = uint4{static_cast<unsigned int>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(b),
                    static_cast<unsigned int>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(a)};
    key.x += 0x9e3779b9u, key.y += 0xbb67ae85u;
  }
  return counter;
}

// Adds to the counter's lower half; a carry goes into the upper half.
COHORT_BOTH_FUNCTION void cohort_philox_add(uint4& counter, unsigned long long n) {
  const unsigned long long low = counter.x | static_cast<unsigned long long>(counter.y) << 32;
  unsigned long long high = counter.z | static_cast<unsigned long long>(counter.w) << 32;
  const unsigned long long sum = low + n;
  high += sum < low;
  counter = uint4{static_cast<unsigned int>(sum), static_cast<unsigned int>(sum >> 32), static_cast<unsigned int>(high),
                  static_cast<unsigned int>(high >> 32)};
}

COHORT_BOTH_FUNCTION unsigned int cohort_philox_word(const uint4& words, unsigned int number) {
  return number == 0 ? words.x : number == 1 ? words.y : number == 2 ? words.z : words.w;
}

/// Skips n values.
COHORT_BOTH_FUNCTION void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  state->STATE += static_cast<unsigned int>(n & 3);
  n /= 4;
  if (state->STATE > 3) n += 1, state->STATE -= 4;
  cohort_philox_add(state->ctr, n);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

/// Skips n subsequences, each of 2^66 values.
COHORT_BOTH_FUNCTION void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned long long high = (state->ctr.z | static_cast<unsigned long long>(state->ctr.w) << 32) + n;
  state->ctr.z = static_cast<unsigned int>(high), state->ctr.w = static_cast<unsigned int>(high >> 32);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

/// Sets up a Philox state.
/// @param seed the key
/// @param subsequence the upper half of the counter
/// @param offset skips this many values more
COHORT_BOTH_FUNCTION void curand_init(unsigned long long seed, unsigned long long subsequence,
                                      unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  *state = {};
  state->key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

/// Returns four words, which begin at the state's next word.
COHORT_BOTH_FUNCTION uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 old = state->output;
  cohort_philox_add(state->ctr, 1);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
  switch (state->STATE) {
    case 0:
      return old;
    case 1:
      return uint4{old.y, old.z, old.w, state->output.x};
    case 2:
      return uint4{old.z, old.w, state->output.x, state->output.y};
    default:
      return uint4{old.w, state->output.x, state->output.y, state->output.z};
  }
}

/// Returns 32 bits of a Philox generator.
COHORT_BOTH_FUNCTION unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int word = cohort_philox_word(state->output, state->STATE++);
  if (state->STATE == 4) {
    cohort_philox_add(state->ctr, 1);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
    state->STATE = 0;
  }
  return word;
}
