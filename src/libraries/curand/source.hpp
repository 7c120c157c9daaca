// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of one generator in the order in which a GPU writes them.
#pragma once

#include <curand.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cohort::curand {

// The numbers that a generator draws; log-normal and Poisson numbers are computed from these.
enum class kind { word, unit_float, unit_double, normal_float, normal_double };

// The caller's settings. A generator begins again at its place when they change.
struct settings {
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
std::unique_ptr<source> make_mt19937(const settings&);
std::unique_ptr<source> make_mtgp32(const settings&);
std::unique_ptr<source> make_philox(const settings&);
std::unique_ptr<source> make_sobol32(const settings&);
std::unique_ptr<source> make_sobol64(const settings&);

// The inverses of distributions.
double normal_quantile(double probability);
class poisson_quantiles {
 public:
  explicit poisson_quantiles(double lambda);
  uint32_t operator()(double probability);

 private:
  bool is_normal() const { return lambda_ > 1e6; }

  double lambda_, deviation_;
  double first_ = 0, term_ = 0;  // the least number that is not rare, and the probability of the last one in `sums_`
  std::vector<double> sums_;     // sums of probabilities, from that of first_ to the last one that was needed
};

}  // namespace cohort::curand
