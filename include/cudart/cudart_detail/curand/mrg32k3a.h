// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MRG32k3a (L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators",
// 1999). cuRAND's subsequences are 2^76 steps apart, its sequences 2^127.
#pragma once

#include "../device/macros.h"

struct curandStateMRG32k3a {
  unsigned int s1[3];  // the oldest value first
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

constexpr unsigned long long cohort_mrg_modulus_1 = 4294967087, cohort_mrg_modulus_2 = 4294944443;
constexpr double cohort_mrg_to_unit = 1.0 / 4294967087.0;  // 1 .. modulus 1 to (0, 1]
constexpr double cohort_mrg_to_word = 1.000000048662;      // factor from 1 .. modulus 1 to 32 bits
constexpr int cohort_mrg_subsequence_exponent = 76, cohort_mrg_sequence_exponent = 127;

// x^(2^k) modulo the characteristic polynomials of both components.
constexpr unsigned int cohort_mrg_skips[191][6] = {
#include "mrg32k3a_skips.inc"
};

// The remainder modulo 2^32 - c, without a division: 2^32 is c.
template <unsigned int c>
COHORT_BOTH_FUNCTION unsigned int cohort_mrg_remainder(unsigned long long value) {
  value = (value & 0xffffffff) + (value >> 32) * c;
  value = (value & 0xffffffff) + (value >> 32) * c;
  const unsigned int word = static_cast<unsigned int>(value);
  return value >= 0x100000000 - c ? word + c : word;
}

// The next values of the two components.
COHORT_BOTH_FUNCTION unsigned int cohort_mrg_next_1(unsigned int oldest, unsigned int middle) {
  return cohort_mrg_remainder<209>(1403580ull * middle + (cohort_mrg_modulus_1 - oldest) * 810728ull);
}
COHORT_BOTH_FUNCTION unsigned int cohort_mrg_next_2(unsigned int oldest, unsigned int newest) {
  return cohort_mrg_remainder<22853>(527612ull * newest + (cohort_mrg_modulus_2 - oldest) * 1370589ull);
}
COHORT_BOTH_FUNCTION void cohort_mrg_step(unsigned int (&s1)[3], unsigned int (&s2)[3]) {
  const unsigned int first = cohort_mrg_next_1(s1[0], s1[1]), second = cohort_mrg_next_2(s2[0], s2[2]);
  s1[0] = s1[1], s1[1] = s1[2], s1[2] = first;
  s2[0] = s2[1], s2[1] = s2[2], s2[2] = second;
}

// The generator's own value, 1 .. modulus 1, and 32 bits from it.
COHORT_BOTH_FUNCTION unsigned int cohort_mrg_difference(unsigned int first, unsigned int second) {
  return first - second + (first <= second ? static_cast<unsigned int>(cohort_mrg_modulus_1) : 0u);
}
// Converts by way of a signed number, because vectors have one instruction for that conversion.
COHORT_BOTH_FUNCTION double cohort_mrg_double(unsigned int value) {
  return static_cast<double>(static_cast<int>(value ^ 0x80000000u)) + 2147483648.0;
}
COHORT_BOTH_FUNCTION unsigned int cohort_mrg_word(unsigned int value) {
  const double word = cohort_mrg_double(value) * cohort_mrg_to_word;  // above 2^32 for the largest value
  return word < 4294967296.0 ? static_cast<unsigned int>(static_cast<long long>(word)) : 0xffffffffu;
}

// Skips 2^(first + k) steps for each bit k of `steps`: the new state is the sum of three successive states times the
// coefficients of the table.
COHORT_BOTH_INLINE void cohort_mrg_skip(unsigned int (&s1)[3], unsigned int (&s2)[3], unsigned long long steps,
                                        int first) {
  for (; steps != 0; steps >>= 1, ++first) {
    if ((steps & 1) == 0) continue;
    unsigned long long sum1[3] = {}, sum2[3] = {};
    for (int k = 0; k < 3; ++k) {
      for (int word = 0; word < 3; ++word) {
        const unsigned long long product1 = static_cast<unsigned long long>(cohort_mrg_skips[first][k]) * s1[word];
        const unsigned long long product2 = static_cast<unsigned long long>(cohort_mrg_skips[first][3 + k]) * s2[word];
        sum1[word] += cohort_mrg_remainder<209>(product1);
        sum2[word] += cohort_mrg_remainder<22853>(product2);
      }
      cohort_mrg_step(s1, s2);
    }
    for (int word = 0; word < 3; ++word) {
      s1[word] = static_cast<unsigned int>(sum1[word] % cohort_mrg_modulus_1);
      s2[word] = static_cast<unsigned int>(sum2[word] % cohort_mrg_modulus_2);
    }
  }
}

/// Sets up an MRG32k3a state.
/// @param seed chooses the start of the sequence
/// @param subsequence skips this many times 2^76 values
/// @param offset skips this many values more
COHORT_BOTH_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                    curandStateMRG32k3a_t* state) {
  *state = {};
  const unsigned long long low = static_cast<unsigned int>(seed) ^ 0x55555555u;
  const unsigned long long high = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
  for (int word = 0; word < 3; ++word) {
    const unsigned long long factor1 = seed == 0 ? 1 : word == 1 ? high : low;
    const unsigned long long factor2 = seed == 0 ? 1 : word == 1 ? low : high;
    state->s1[word] = static_cast<unsigned int>(12345 * factor1 % cohort_mrg_modulus_1);
    state->s2[word] = static_cast<unsigned int>(12345 * factor2 % cohort_mrg_modulus_2);
  }
  cohort_mrg_skip(state->s1, state->s2, subsequence, cohort_mrg_subsequence_exponent);
  cohort_mrg_skip(state->s1, state->s2, offset, 0);
}

COHORT_BOTH_FUNCTION unsigned int cohort_mrg_value(curandStateMRG32k3a_t* state) {
  cohort_mrg_step(state->s1, state->s2);
  return cohort_mrg_difference(state->s1[2], state->s2[2]);
}

/// Returns 32 bits of an MRG32k3a generator.
COHORT_BOTH_FUNCTION unsigned int curand(curandStateMRG32k3a_t* state) {
  return cohort_mrg_word(cohort_mrg_value(state));
}

/// Skips n values.
COHORT_BOTH_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  cohort_mrg_skip(state->s1, state->s2, n, 0);
}

/// Skips n subsequences, each of 2^76 values.
COHORT_BOTH_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  cohort_mrg_skip(state->s1, state->s2, n, cohort_mrg_subsequence_exponent);
}

/// Skips n sequences, each of 2^127 values.
COHORT_BOTH_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  cohort_mrg_skip(state->s1, state->s2, n, cohort_mrg_sequence_exponent);
}
