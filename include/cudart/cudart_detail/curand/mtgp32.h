// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MTGP32 (Saito and Matsumoto, "Variants of Mersenne Twister Suitable for Graphic Processors", 2013): a twister whose
// next 256 words do not depend on each other. Its parameters make independent generators.
#pragma once

#include "../device/macros.h"

constexpr int cohort_mtgp32_size = 351;          // words of a state, 11213 bits
constexpr int cohort_mtgp32_most_threads = 256;  // words that a step may make at once

struct cohort_mtgp32_parameters {
  unsigned int pos;  // the pickup position
  unsigned int sh1, sh2;
  unsigned int recursion[4], tempering[4];  // columns of two matrices over GF(2)
};

constexpr cohort_mtgp32_parameters cohort_mtgp32_sets[200] = {
#include "mtgp32_parameters.inc"
};

// The product of a matrix of four columns with the low four bits of a word.
COHORT_BOTH_FUNCTION unsigned int cohort_mtgp32_product(const unsigned int (&columns)[4], unsigned int bits) {
  return ((0u - (bits & 1)) & columns[0]) ^ ((0u - (bits >> 1 & 1)) & columns[1]) ^
         ((0u - (bits >> 2 & 1)) & columns[2]) ^ ((0u - (bits >> 3 & 1)) & columns[3]);
}

// The word that follows a state: from its first two words and the word at the pickup position.
COHORT_BOTH_FUNCTION unsigned int cohort_mtgp32_next(const cohort_mtgp32_parameters& p, unsigned int first,
                                                     unsigned int second, unsigned int picked) {
  unsigned int x = (first & 0xfff80000u) ^ second;
  x ^= x << p.sh1;
  x ^= picked >> p.sh2;
  return x ^ cohort_mtgp32_product(p.recursion, x);
}

// The output for a new word, with the word before the pickup position.
COHORT_BOTH_FUNCTION unsigned int cohort_mtgp32_temper(const cohort_mtgp32_parameters& p, unsigned int word,
                                                       unsigned int before) {
  before ^= before >> 16;
  before ^= before >> 8;
  return word ^ cohort_mtgp32_product(p.tempering, before);
}

COHORT_BOTH_INLINE void cohort_mtgp32_init(const cohort_mtgp32_parameters& p, unsigned int seed, unsigned int* state) {
  const unsigned int hidden = p.recursion[2] ^ p.recursion[3] << 16;
  unsigned int fill = hidden;
  fill += fill >> 16;
  fill += fill >> 8;
  state[0] = seed, state[1] = hidden;
  for (int i = 2; i < cohort_mtgp32_size; ++i) state[i] = (fill & 0xff) * 0x01010101u;
  for (unsigned int i = 1; i < cohort_mtgp32_size; ++i)
    state[i] ^= 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
}

// The seed of generator `number` of a set that has one seed.
COHORT_BOTH_FUNCTION unsigned int cohort_mtgp32_seed(unsigned long long seed, unsigned int number) {
  return static_cast<unsigned int>(seed ^ seed >> 32) + number + 1;
}
