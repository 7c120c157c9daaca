// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform numbers in (0, 1]: the middle of the interval that a generator's bits name, unless a comment says otherwise.
#pragma once

#include "mrg32k3a.h"
#include "mtgp32.h"
#include "philox.h"
#include "sobol.h"
#include "xorwow.h"

COHORT_BOTH_FUNCTION float cohort_unit_float(unsigned int word) {
  return static_cast<float>(word) * 0x1p-32f + 0x1p-33f;
}
// A double of one word is the end of the interval, 2^-32 .. 1.
COHORT_BOTH_FUNCTION double cohort_unit_double(unsigned int word) { return word * 0x1p-32 + 0x1p-32; }
// 53 bits of two words. The second word's upper bits overlap the first word.
COHORT_BOTH_FUNCTION double cohort_unit_double(unsigned int low, unsigned int high) {
  return static_cast<double>(low ^ static_cast<unsigned long long>(high) << 21) * 0x1p-53 + 0x1p-54;
}
COHORT_BOTH_FUNCTION float cohort_unit_float(unsigned long long word) {
  return cohort_unit_float(static_cast<unsigned int>(word >> 32));
}
COHORT_BOTH_FUNCTION double cohort_unit_double(unsigned long long word) {
  return static_cast<double>(word >> 11) * 0x1p-53 + 0x1p-54;
}

/// Returns a uniform number in (0, 1]. A double of XORWOW takes two words of the generator, one of the others one.
COHORT_BOTH_FUNCTION float curand_uniform(curandStateXORWOW_t* state) { return cohort_unit_float(curand(state)); }
COHORT_BOTH_FUNCTION double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int low = curand(state);
  return cohort_unit_double(low, curand(state));
}
COHORT_BOTH_FUNCTION float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(cohort_mrg_double(cohort_mrg_value(state)) * cohort_mrg_to_unit);
}
COHORT_BOTH_FUNCTION double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return cohort_mrg_double(cohort_mrg_value(state)) * cohort_mrg_to_unit;
}
COHORT_BOTH_FUNCTION float curand_uniform(curandStatePhilox4_32_10_t* state) {
  return cohort_unit_float(curand(state));
}
COHORT_BOTH_FUNCTION double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return cohort_unit_double(curand(state));
}
COHORT_BOTH_FUNCTION float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 w = curand4(state);
  return float4{cohort_unit_float(w.x), cohort_unit_float(w.y), cohort_unit_float(w.z), cohort_unit_float(w.w)};
}
COHORT_BOTH_FUNCTION double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 w = curand4(state);
  return double2{cohort_unit_double(w.x, w.y), cohort_unit_double(w.z, w.w)};
}
COHORT_BOTH_FUNCTION double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

#define COHORT_SOBOL_UNIFORM(kind)                                                                                     \
  COHORT_BOTH_FUNCTION float curand_uniform(curandState##kind##_t* state) { return cohort_unit_float(curand(state)); } \
  COHORT_BOTH_FUNCTION double curand_uniform_double(curandState##kind##_t* state) {                                    \
    return cohort_unit_double(curand(state));                                                                          \
  }
#if defined(__CUDA__)
COHORT_DEVICE_FUNCTION float curand_uniform(curandStateMtgp32_t* state) { return cohort_unit_float(curand(state)); }
COHORT_DEVICE_FUNCTION double curand_uniform_double(curandStateMtgp32_t* state) {
  return cohort_unit_double(curand(state));
}
#endif
COHORT_SOBOL_UNIFORM(Sobol32)
COHORT_SOBOL_UNIFORM(ScrambledSobol32)
COHORT_SOBOL_UNIFORM(Sobol64)
COHORT_SOBOL_UNIFORM(ScrambledSobol64)
#undef COHORT_SOBOL_UNIFORM
