// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sobol' sequences in Gray code order (Bratley and Fox, "Algorithm 659", 1988). A direction vector for each bit of the
// index comes from the caller; the scrambled kinds start with a caller's constant instead of 0.
#pragma once

#include "../device/macros.h"

/// One dimension: 32 direction vectors of 32 bits, or 64 of 64 bits.
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

template <class Word>
struct cohort_sobol_state {
  Word i;  // index of the value in x
  Word x;
  Word c;  // the scramble constant, 0 without scrambling
  Word direction_vectors[8 * sizeof(Word)];
};

// The four states are types of their own: a scrambled one is set up with a constant.
struct curandStateSobol32 : cohort_sobol_state<unsigned int> {};
struct curandStateScrambledSobol32 : cohort_sobol_state<unsigned int> {};
struct curandStateSobol64 : cohort_sobol_state<unsigned long long> {};
struct curandStateScrambledSobol64 : cohort_sobol_state<unsigned long long> {};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

// Sets the state to position `index`: its value is the XOR of the direction vectors of the ones in the Gray code.
template <class Word>
COHORT_BOTH_FUNCTION void cohort_sobol_set(cohort_sobol_state<Word>* state, Word index) {
  Word gray = index ^ (index >> 1);
  Word value = state->c;
  for (int bit = 0; gray != 0; gray >>= 1, ++bit) {
    if ((gray & 1) != 0) value ^= state->direction_vectors[bit];
  }
  state->i = index, state->x = value;
}

template <class Word>
COHORT_BOTH_FUNCTION void cohort_sobol_init(const Word* directions, Word constant, Word offset,
                                            cohort_sobol_state<Word>* state) {
  for (unsigned int bit = 0; bit < 8 * sizeof(Word); ++bit) state->direction_vectors[bit] = directions[bit];
  state->c = constant;
  cohort_sobol_set(state, offset);
}

// The next value differs by the direction of the index's lowest zero bit; the last index is followed by itself.
template <class Word>
COHORT_BOTH_FUNCTION Word cohort_sobol_next(cohort_sobol_state<Word>* state) {
  const Word value = state->x;
  int bit = 0;
  for (Word index = state->i; (index & 1) != 0; index >>= 1) ++bit;
  if (bit < static_cast<int>(8 * sizeof(Word))) state->x ^= state->direction_vectors[bit];
  ++state->i;
  return value;
}

#define COHORT_SOBOL_FUNCTIONS(kind, word, steps)                                                           \
  /** Returns the next value of the sequence. */                                                            \
  COHORT_BOTH_FUNCTION word curand(curandState##kind##_t* state) { return cohort_sobol_next<word>(state); } \
  /** Skips n values. */                                                                                    \
  COHORT_BOTH_FUNCTION void skipahead(steps n, curandState##kind##_t* state) {                              \
    cohort_sobol_set<word>(state, state->i + static_cast<word>(n));                                         \
  }
#define COHORT_SOBOL_INIT(kind, word, vectors)                                                                  \
  /** Sets up a state: `offset` skips this many values. */                                                      \
  COHORT_BOTH_FUNCTION void curand_init(vectors direction_vectors, word offset, curandState##kind##_t* state) { \
    cohort_sobol_init<word>(direction_vectors, 0, offset, state);                                               \
  }
#define COHORT_SCRAMBLED_SOBOL_INIT(kind, word, vectors)                                         \
  /** Sets up a state with a scramble constant: `offset` skips this many values. */              \
  COHORT_BOTH_FUNCTION void curand_init(vectors direction_vectors, word scramble_c, word offset, \
                                        curandState##kind##_t* state) {                          \
    cohort_sobol_init<word>(direction_vectors, scramble_c, offset, state);                       \
  }

COHORT_SOBOL_INIT(Sobol32, unsigned int, curandDirectionVectors32_t)
COHORT_SOBOL_INIT(Sobol64, unsigned long long, curandDirectionVectors64_t)
COHORT_SCRAMBLED_SOBOL_INIT(ScrambledSobol32, unsigned int, curandDirectionVectors32_t)
COHORT_SCRAMBLED_SOBOL_INIT(ScrambledSobol64, unsigned long long, curandDirectionVectors64_t)
COHORT_SOBOL_FUNCTIONS(Sobol32, unsigned int, unsigned int)
COHORT_SOBOL_FUNCTIONS(ScrambledSobol32, unsigned int, unsigned int)
COHORT_SOBOL_FUNCTIONS(Sobol64, unsigned long long, unsigned long long)
COHORT_SOBOL_FUNCTIONS(ScrambledSobol64, unsigned long long, unsigned long long)

#undef COHORT_SOBOL_FUNCTIONS
#undef COHORT_SOBOL_INIT
#undef COHORT_SCRAMBLED_SOBOL_INIT
