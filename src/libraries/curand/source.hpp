// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of one generator in the order in which a GPU writes them.
#pragma once

#include <curand.h>

#include <cstddef>
#include <cstdint>
#include <functional>
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

// Replaces numbers of a tile while they are in a cache: scales them, or makes another distribution of them.
using finisher = std::function<void(void* numbers, size_t count)>;

// One generator with its place in the sequence.
class source {
 public:
  virtual ~source() = default;
  // Writes the next `count` numbers of the kind: uint32_t, uint64_t, float or double. Normal numbers have mean 0 and
  // standard deviation 1. `finish`, unless it is empty, is called once for each number, many numbers at a time.
  virtual void draw(kind what, size_t count, void* out, const finisher& finish) = 0;
  // Takes another seed and continues at the same place.
  virtual void reseed(uint64_t seed) = 0;
};

std::unique_ptr<source> make_xorwow(const settings&);
std::unique_ptr<source> make_mrg32k3a(const settings&);
std::unique_ptr<source> make_mt19937(const settings&);
std::unique_ptr<source> make_mtgp32(const settings&);
std::unique_ptr<source> make_philox(const settings&);
std::unique_ptr<source> make_sobol32(const settings&);
std::unique_ptr<source> make_sobol64(const settings&);

// Quantiles: the inverses of cumulative distribution functions.
double normal_quantile(double probability);
void normal_quantiles_of_words(const uint32_t* words, size_t count, float* out);
void normal_quantiles(double* numbers, size_t count);  // replaces probabilities by quantiles
class discrete_quantiles {
 public:
  static discrete_quantiles of_poisson(double lambda);
  // The numbers of successes in n trials with probability p, from 0 to 1.
  static discrete_quantiles of_binomial(uint32_t n, double p);
  // The quantiles of (word + 1/2) / 2^32 in place of words.
  void operator()(uint32_t* words, size_t count) const;

 private:
  discrete_quantiles(double mean, double deviation, double most) : mean_(mean), deviation_(deviation), most_(most) {}

  // `term`: the probability of `first`; `ratio(number)`: that of a number divided by that of the number before it.
  template <class Ratio>
  void make_table(double first, double term, const Ratio& ratio);
  // The least and the largest usual number: results outside of these bounds have a probability of 1e-18 together.
  double first_usual() const;
  double last_usual() const;
  bool is_normal() const { return deviation_ > 1e3; }
  void normal(uint32_t* words, size_t count) const;

  double mean_, deviation_, most_;
  uint32_t guide_shift_ = 0;     // a word begins with the bits word >> guide_shift_
  uint32_t first_ = 0;           // the least number that is not rare
  std::vector<uint32_t> last_;   // the last words whose quantiles are first_, first_ + 1, ...
  std::vector<uint32_t> guide_;  // the index of the first quantile of words that begin with the bits k
};

}  // namespace cohort::curand
