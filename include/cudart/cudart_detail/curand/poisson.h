// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poisson numbers. Below 64 a pseudorandom generator multiplies uniform numbers (Knuth), from 64 on candidates are
// accepted or rejected (Hoermann, "The transformed rejection method for generating Poisson random variables", 1993),
// and above 4000 normal numbers are rounded. Sobol' sequences and MTGP32 use the inverse of the distribution. Below 64
// and above 4000 the numbers are those of a GPU; between them they have the same distribution only.
#pragma once

#include "normal.h"

#if defined(__CUDA__)

template <class T>
COHORT_DEVICE_FUNCTION unsigned int cohort_poisson_by_products(T* state, double lambda) {
  const float bound = expf(static_cast<float>(lambda));
  unsigned int count = 0;
  for (float product = bound; (product *= curand_uniform(state)) > 1.0f;) ++count;
  return count;
}

template <class T>
COHORT_DEVICE_FUNCTION unsigned int cohort_poisson_by_rejection(T* state, double lambda) {
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), certain = 0.9277 - 3.6224 / (b - 2.0);
  const double log_lambda = log(lambda);
  for (;;) {
    const double u = curand_uniform(state) - 0.5, v = curand_uniform(state);
    const double border = 0.5 - fabs(u);
    const double k = floor((2.0 * a / border + b) * u + lambda + 0.43);
    if (border >= 0.07 && v <= certain) return static_cast<unsigned int>(k);
    if (k < 0.0 || (border < 0.013 && v > border)) continue;
    if (log(v * inverse_alpha / (a / (border * border) + b)) <= k * log_lambda - lambda - lgamma(k + 1.0))
      return static_cast<unsigned int>(k);
  }
}

// The smallest k whose probability of at most k events reaches u. The sum begins where the probabilities are too small
// to matter.
COHORT_DEVICE_FUNCTION unsigned int cohort_poisson_quantile(double u, double lambda) {
  double k = floor(fmax(0.0, lambda - 9.0 * sqrt(lambda)));
  double probability = exp(k * log(lambda) - lambda - lgamma(k + 1.0));
  for (double sum = probability; sum < u && k < lambda + 9.0 * sqrt(lambda) + 30.0; sum += probability)
    probability *= lambda / ++k;
  return static_cast<unsigned int>(k);
}

#define COHORT_POISSON(kind)                                                                        \
  /** Returns a number of events with the given mean. */                                            \
  COHORT_DEVICE_FUNCTION unsigned int curand_poisson(curandState##kind##_t* state, double lambda) { \
    if (lambda < 64.0) return cohort_poisson_by_products(state, lambda);                            \
    if (lambda <= 4000.0) return cohort_poisson_by_rejection(state, lambda);                        \
    return static_cast<unsigned int>(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);    \
  }
COHORT_POISSON(XORWOW)
COHORT_POISSON(MRG32k3a)
COHORT_POISSON(Philox4_32_10)
#undef COHORT_POISSON

#define COHORT_SOBOL_POISSON(kind)                                                                  \
  /** Returns a number of events with the given mean. */                                            \
  COHORT_DEVICE_FUNCTION unsigned int curand_poisson(curandState##kind##_t* state, double lambda) { \
    return cohort_poisson_quantile(cohort_normal_position(curand(state)), lambda);                  \
  }
COHORT_SOBOL_POISSON(Sobol32)
COHORT_SOBOL_POISSON(ScrambledSobol32)
COHORT_SOBOL_POISSON(Sobol64)
COHORT_SOBOL_POISSON(ScrambledSobol64)
COHORT_SOBOL_POISSON(Mtgp32)
#undef COHORT_SOBOL_POISSON

#endif
