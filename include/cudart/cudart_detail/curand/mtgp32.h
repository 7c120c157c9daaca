// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MTGP32 (Saito and Matsumoto, "Variants of Mersenne Twister Suitable for Graphic Processors", 2013): a twister whose
// next 256 words do not depend on each other. Its parameters make independent generators. A state belongs to a block:
// all its threads draw at once, one number each.
#pragma once

#include "../device/macros.h"

constexpr int cohort_mtgp32_size = 351;          // words of a state, 11213 bits
constexpr int cohort_mtgp32_most_threads = 256;  // words that a step may make at once

struct cohort_mtgp32_parameters {
  unsigned int pos;  // the pickup position
  unsigned int sh1, sh2;
  unsigned int recursion[4], tempering[4];  // columns of two matrices over GF(2)
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

#define CURAND_NUM_MTGP32_PARAMS 200

typedef struct cohort_mtgp32_parameters mtgp32_params_fast_t;

/// The parameters in device memory, which curandMakeMTGP32Constants() copies.
struct mtgp32_kernel_params {
  mtgp32_params_fast_t set[CURAND_NUM_MTGP32_PARAMS];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

struct curandStateMtgp32 {
  unsigned int s[1024];  // a ring of words
  int offset;            // the first word of the state
  int pIdx;              // the set of parameters
  mtgp32_kernel_params_t* k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

#if defined(__CUDA__)
/// Returns 32 bits of the block's generator.
/// @pre all threads of the block call: thread `index` of `n`, which is at most 256
COHORT_DEVICE_FUNCTION unsigned int curand_mtgp32_specific(curandStateMtgp32_t* state, unsigned char index,
                                                           unsigned char n) {
  const cohort_mtgp32_parameters& p = state->k->set[state->pIdx];
  const unsigned int threads = n == 0 ? 256 : n, first = static_cast<unsigned int>(state->offset) + index;
  const auto at = [&](unsigned int position) -> unsigned int& { return state->s[(first + position) % 1024]; };
  const unsigned int word = cohort_mtgp32_next(p, at(0), at(1), at(p.pos));
  const unsigned int drawn = cohort_mtgp32_temper(p, word, at(p.pos - 1));
  at(cohort_mtgp32_size) = word;
  __syncthreads();
  if (index == 0) state->offset = static_cast<int>((static_cast<unsigned int>(state->offset) + threads) % 1024);
  __syncthreads();
  return drawn;
}

/// Returns 32 bits of the block's generator.
/// @pre all threads of the block call, at most 256
COHORT_DEVICE_FUNCTION unsigned int curand(curandStateMtgp32_t* state) {
  const unsigned int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return curand_mtgp32_specific(state, static_cast<unsigned char>(rank),
                                static_cast<unsigned char>(blockDim.x * blockDim.y * blockDim.z));
}
#endif
