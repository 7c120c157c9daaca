// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of one generator in the order in which a GPU writes them.
#pragma once

#include <curand.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cohort::curand {

// The numbers that a generator draws; log-normal and Poisson numbers are computed from these.
enum class kind { word, unit_float, unit_double, normal_float, normal_double };

// The caller's settings. A generator begins again at its place when they change.
struct settings {
  curandRngType type = CURAND_RNG_PSEUDO_XORWOW;
  curandOrdering ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
  uint64_t seed = 0;
  uint64_t offset = 0;
};

// One generator with its place in the sequence.
class source {
 public:
  virtual ~source() = default;
  // Writes the next `count` numbers of the kind: uint32_t, uint64_t, float or double. Normal numbers have mean 0 and
  // standard deviation 1.
  virtual void draw(kind what, size_t count, void* out) = 0;
  // Takes another seed and goes on at the same place.
  virtual void reseed(uint64_t seed) = 0;
};

std::unique_ptr<source> make_xorwow(const settings&);
std::unique_ptr<source> make_mrg32k3a(const settings&);
std::unique_ptr<source> make_philox(const settings&);
std::unique_ptr<source> make_sobol32(const settings&);
std::unique_ptr<source> make_sobol64(const settings&);

// The inverses of distributions.
double normal_quantile(double probability);
uint32_t poisson_quantile(double probability, double lambda);

}  // namespace cohort::curand
