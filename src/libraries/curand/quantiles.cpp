// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverses of distributions: the normal one by Wichura's algorithm AS 241 ("The percentage points of the normal
// distribution", 1988), whose relative error is about 1e-16, discrete ones by their sums.
#include <cudart_detail/curand/normal.h>
#include <math.h>

#include <algorithm>
#include <cmath>

#include "libraries/common/widest_vectors.hpp"
#include "libraries/curand/source.hpp"
#include "libraries/curand/vector_math.hpp"

namespace cohort::curand {
namespace {

// The value of a polynomial, whose coefficients begin with the highest power.
template <size_t Count>
double polynomial(const double (&coefficients)[Count], double x) {
  double value = 0.0;
  for (const double coefficient : coefficients) value = value * x + coefficient;
  return value;
}

constexpr double center_above[] = {2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
                                   4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
                                   1.3314166789178437745e+2, 3.3871328727963666080e+0};
constexpr double center_below[] = {
    5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4,
    5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1.0};
constexpr double middle_above[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                                   1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0,
                                   4.63033784615654529590e+0, 1.42343711074968357734e+0};
constexpr double middle_below[] = {
    1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
    6.89767334985100004550e-1, 1.67638483018380384940e+0, 2.05319162663775882187e+0, 1.0};
constexpr double tail_above[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                                 2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0,
                                 5.46378491116411436990e+0, 6.65790464350110377720e+0};
constexpr double tail_below[] = {
    2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
    1.48753612908506148525e-2,  1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0};

constexpr size_t tile = 256;

double center(double q) {
  const double r = 0.180625 - q * q;
  return q * polynomial(center_above, r) / polynomial(center_below, r);
}
double middle(double root) { return polynomial(middle_above, root - 1.6) / polynomial(middle_below, root - 1.6); }
double tail_root(double probability) {
  return std::sqrt(-std::log(probability < 0.5 ? probability : 1.0 - probability));
}

// std::lgamma() writes a global variable. The logarithms of probabilities are differences of numbers up to 1e11, so
// that doubles would be off by 1e-5.
long double log_factorial(long double number) {
  int sign = 0;
  return lgammal_r(number + 1.0L, &sign);
}

}  // namespace

double normal_quantile(double probability) {
  const double q = probability - 0.5;
  if (std::fabs(q) <= 0.425) return center(q);
  const double r = tail_root(probability);
  const double magnitude = r <= 5.0 ? middle(r) : polynomial(tail_above, r - 5.0) / polynomial(tail_below, r - 5.0);
  return q < 0.0 ? -magnitude : magnitude;
}

// The approximation without branches serves all words but one of a million.
void normal_quantiles_of_words(const uint32_t* words, size_t count, float* out) {
  uint32_t far = 0;
  libraries::with_widest_vectors([=, far_of_all = &far] {
    uint32_t any_far = 0;
    for (size_t i = 0; i < count; ++i) {
      out[i] = normal_quantile_of_word(words[i]);
      any_far |= words[i] + far_tail < 2 * far_tail ? 1 : 0;
    }
    *far_of_all = any_far;
  });
  for (size_t i = 0; far != 0 && i < count; ++i) {
    if (words[i] + far_tail < 2 * far_tail)
      out[i] = static_cast<float>(normal_quantile(cohort_normal_position(words[i])));
  }
}

// Computes the center first, without branches. One number of seven is in a tail: these are gathered, and those beyond
// 2e-11 from an end, where the polynomials of the middle fail, are computed one by one.
void normal_quantiles(double* numbers, size_t count) {
  for (size_t first = 0; first < count; first += tile) {
    double probabilities[tile], roots[tile] = {}, magnitudes[tile] = {};
    uint32_t tails[tile] = {};
    double* const at = numbers + first;
    const size_t n = std::min(tile, count - first);
    std::copy_n(at, n, probabilities);
    size_t in_tails = 0;
    for (size_t i = 0; i < n; ++i) {
      tails[in_tails] = static_cast<uint32_t>(i);
      in_tails += std::fabs(probabilities[i] - 0.5) > 0.425 ? 1 : 0;
    }
    for (size_t k = 0; k < in_tails; ++k) {
      const double probability = probabilities[tails[k]];
      roots[k] = probability < 0.5 ? probability : 1.0 - probability;
    }
    // Whole vectors, because compilers compute the rest of a loop one by one.
    const size_t padded = (in_tails + 15) / 16 * 16;
    std::fill(roots + in_tails, roots + padded, 0.25);
    libraries::with_widest_vectors([=, from = &probabilities[0], roots = &roots[0], to = &magnitudes[0]] {
      for (size_t i = 0; i < n; ++i) at[i] = center(from[i] - 0.5);
      for (size_t k = 0; k < padded; ++k) roots[k] = std::sqrt(-log_of(roots[k]));
      for (size_t k = 0; k < padded; ++k) to[k] = middle(roots[k]);
    });
    for (size_t k = 0; k < in_tails; ++k) {
      const double probability = probabilities[tails[k]];
      at[tails[k]] = roots[k] > 5.0 ? normal_quantile(probability) : probability < 0.5 ? -magnitudes[k] : magnitudes[k];
    }
  }
}

// The skewed tail, the upper one of rare successes and the lower one of rare failures, is longer than 9 deviations.
double discrete_quantiles::first_usual() const { return std::floor(std::max(0.0, mean_ - 9.0 * deviation_ - 30.0)); }
double discrete_quantiles::last_usual() const { return std::min(most_, mean_ + 9.0 * deviation_ + 30.0); }

template <class Ratio>
void discrete_quantiles::make_table(double first, double term, const Ratio& ratio) {
  double sum = term;
  first_ = static_cast<uint32_t>(first);
  // A word's quantile is the least number whose sum reaches the word's position, the middle of its interval.
  for (double number = first + 1.0; sum < 1.0 - 0x1p-33 && number <= last_usual(); ++number) {
    if (sum >= 0x1p-33) {
      last_.push_back(static_cast<uint32_t>(std::ldexp(sum, 32) - 0.5));
    } else {
      ++first_;
    }
    term *= ratio(number);
    sum += term;
  }
  last_.push_back(UINT32_MAX);
  // guide_ has several entries for each usual number, so few words need more than one step from their entry.
  const int guide_bits = std::clamp(static_cast<int>(std::log2(128.0 * deviation_ + 1.0)), 8, 16);
  guide_shift_ = static_cast<uint32_t>(32 - guide_bits);
  guide_.resize(size_t{1} << guide_bits);
  for (size_t k = 0, index = 0; k < guide_.size(); ++k) {
    while (last_[index] < k << guide_shift_) ++index;
    guide_[k] = static_cast<uint32_t>(index);
  }
}

discrete_quantiles discrete_quantiles::of_poisson(double lambda) {
  discrete_quantiles made(lambda, std::sqrt(lambda), UINT32_MAX);
  if (made.is_normal()) return made;
  const double first = made.first_usual();
  made.make_table(
      first,
      static_cast<double>(std::exp(first * std::log(static_cast<long double>(lambda)) - lambda - log_factorial(first))),
      [lambda](double number) { return lambda / number; });
  return made;
}

discrete_quantiles discrete_quantiles::of_binomial(uint32_t n, double p) {
  const double trials = n;
  discrete_quantiles made(trials * p, std::sqrt(trials * p * (1.0 - p)), trials);
  if (made.is_normal()) return made;
  if (p == 0.0 || p == 1.0) {
    made.make_table(p == 0.0 ? 0.0 : trials, 1.0, [](double) { return 0.0; });
    return made;
  }
  const double first = made.first_usual(), odds = p / (1.0 - p);
  const long double log_term = log_factorial(trials) - log_factorial(first) - log_factorial(trials - first) +
                               first * std::log(static_cast<long double>(p)) +
                               (trials - first) * std::log1p(-static_cast<long double>(p));
  made.make_table(first, static_cast<double>(std::exp(log_term)),
                  [trials, odds](double number) { return odds * (trials - number + 1.0) / number; });
  return made;
}

// The quantiles of floats serve: their errors are 1e-6 standard deviations, those of the normal distribution 1e-4.
void discrete_quantiles::normal(uint32_t* words, size_t count) const {
  float quantiles[tile];
  for (size_t first = 0; first < count; first += tile) {
    const size_t n = std::min(tile, count - first);
    uint32_t* const at = words + first;
    normal_quantiles_of_words(at, n, quantiles);
    libraries::with_widest_vectors([=, from = &quantiles[0], mean = mean_ + 0.5, deviation = deviation_, most = most_] {
      for (size_t i = 0; i < n; ++i) {
        const double number = mean + deviation * from[i];
        at[i] = static_cast<uint32_t>(number < 0.0 ? 0.0 : number > most ? most : number);
      }
    });
  }
}

// The table guide_ gives the result or the number before it, for all words but those in the tails: a loop finds theirs.
void discrete_quantiles::operator()(uint32_t* words, size_t count) const {
  if (is_normal()) return normal(words, count);
  uint32_t indices[tile];
  for (size_t first = 0; first < count; first += tile) {
    const size_t n = std::min(tile, count - first);
    uint32_t* const at = words + first;
    uint32_t beyond = 0;
    libraries::with_widest_vectors(
        [=, to = &indices[0], guide = guide_.data(), last = last_.data(), shift = guide_shift_, any = &beyond] {
          uint32_t any_beyond = 0;
          for (size_t i = 0; i < n; ++i) {
            const uint32_t index = guide[at[i] >> shift];
            to[i] = index + (at[i] > last[index] ? 1 : 0);
          }
          for (size_t i = 0; i < n; ++i) any_beyond |= at[i] > last[to[i]] ? 1 : 0;
          *any = any_beyond;
        });
    for (size_t i = 0; beyond != 0 && i < n; ++i) {
      while (at[i] > last_[indices[i]]) ++indices[i];
    }
    for (size_t i = 0; i < n; ++i) at[i] = first_ + indices[i];
  }
}

}  // namespace cohort::curand
