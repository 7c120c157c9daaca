// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the forms of SLEEF's functions bit by bit, and their results with a reference in higher precision:
//   sleef_forms [VALUES [FUNCTION...]]
// VALUES is the number of inputs for each function (65536). Prints one line for each function. The status is 1 if two
// forms of a family differ or if an error exceeds CUDA's documented bound.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "call_form.hpp"
#include "exact.hpp"
#include "inputs.hpp"

namespace sleef {
namespace {

// Equal bits. All NaN count as equal, since neither IEEE 754 nor CUDA fixes the bits of a NaN result.
template <class T>
bool same(T a, T b) {
  return a != a ? b != b : std::memcmp(&a, &b, sizeof a) == 0;
}

// The distance of `got` from the exact result in units in the last place; infinity where a special result is wrong.
template <class T, class Exact>
double error_of(T got, Exact exact) {
  const T nearest = static_cast<T>(exact);
  if (same(got, nearest)) {
    if (got != got || std::isinf(got) || got == 0) {
      return 0.0;
    }
  } else if (std::isnan(got) || std::isnan(nearest) || std::isinf(got) || std::isinf(nearest)) {
    // Where the exact result is next to an overflow, both infinity and the largest number are accepted.
    const T other = std::isinf(got) ? nearest : got;
    const bool borders = std::isinf(got) != std::isinf(nearest) && std::fabs(other) == std::numeric_limits<T>::max() &&
                         std::signbit(got) == std::signbit(nearest);
    return borders ? 1.0 : INFINITY;
  } else if (got == 0 && nearest == 0) {
    return exact == 0 ? INFINITY : 0.5;  // the sign of an exact zero counts
  }
  int exponent;
  std::frexp(nearest, &exponent);
  const int lowest = std::numeric_limits<T>::min_exponent;
  const T unit = std::ldexp(T(1), std::max(exponent, lowest) - std::numeric_limits<T>::digits);
  const Exact distance = static_cast<Exact>(got) - exact;
  return static_cast<double>((distance < 0 ? -distance : distance) / static_cast<Exact>(unit));
}

template <class T>
struct worst {
  double ulps = 0.0;
  uint64_t beyond = 0;  // results whose error exceeds CUDA's bound
  T x = 0, y = 0, got = 0;
  double example = 0.0;

  template <class Exact>
  void add(T first, T second, T result, Exact exact, double bound) {
    const double error = error_of(result, exact);
    if (error > bound + 0.5 + 1e-6) {  // CUDA counts from the rounded result; the reference has its own error
      ++beyond;
      if (!(example >= error)) {
        x = first, y = second, got = result, example = error;
      }
    } else {
      ulps = std::max(ulps, error);
    }
  }
};

template <class T>
bool measure(const cohort::math_row& row, uint64_t values) {
  const auto& function = *row.function;
  const reference& exact = find_reference(function.name);
  const double bound = row.is_double ? exact.bound_double : exact.bound_float;
  std::vector<called_form<T>> forms;
  for (const auto& form : cohort::math_forms) {
    if (runs_here(form)) {
      forms.emplace_back(row, form);
    }
  }
  input_generator<T> inputs(function.arguments);
  std::vector<T> x(batch), y(batch), scalar(batch), other(batch);
  worst<T> errors[2];
  uint64_t different = 0;
  std::string example;
  // References cost more than the forms, in binary128 a microsecond, so only some batches are compared with them. The
  // first ones hold the edge cases.
  const uint64_t batches = (values + batch - 1) / batch;
  const uint64_t stride = batches / (row.is_double ? 512 : 8192) + 1;
  for (uint64_t b = 0; b < batches; ++b) {
    for (size_t i = 0; i < batch; ++i) {
      inputs.next(x[i], y[i]);
    }
    const bool has_reference = b % stride == 0 || b < 40;
    for (const auto& form : forms) {
      if (form.form().family == cohort::math_family::plain && !has_reference) {
        continue;
      }
      std::vector<T>& results = form.form().bits == 0 ? scalar : other;
      form(x.data(), y.data(), results.data());
      if (form.form().bits == 0) {
        if (has_reference) {
          auto& own = errors[form.form().family == cohort::math_family::fused ? 0 : 1];
          for (size_t i = 0; i < batch; ++i) {
            // The compiler replaces results beyond the limit, and infinite ones of pow (math/full_range.cpp).
            const bool replaced = (row.limit() != 0 && std::fabs(static_cast<double>(x[i])) > row.limit()) ||
                                  (std::isinf(scalar[i]) && std::string(function.name) == "pow");
            if (replaced || has_no_bound(function.name, row.is_double, static_cast<double>(x[i]))) {
              continue;
            }
            if constexpr (sizeof(T) == 4) {
              own.add(x[i], y[i], scalar[i], exact.of_float(x[i], y[i]), bound);
            } else {
              own.add(x[i], y[i], scalar[i], exact.of_double(x[i], y[i]), bound);
            }
          }
        }
        continue;
      }
      for (size_t i = 0; i < batch; ++i) {
        if (!same(scalar[i], other[i])) {
          char text[200];
          std::snprintf(text, sizeof text, " %s(%a, %a) = %a, %a;", form.form().suffix, static_cast<double>(x[i]),
                        static_cast<double>(y[i]), static_cast<double>(scalar[i]), static_cast<double>(other[i]));
          if (example.size() < 300) {
            example += text;
          }
          ++different;
        }
      }
    }
  }
  std::printf("%s%s: %" PRIu64 " values, %" PRIu64 " differ, ulp %.3f fused %.3f plain, bound %.0f\n", function.name,
              row.is_double ? "" : "f", batches * batch, different, errors[0].ulps, errors[1].ulps, bound);
  if (different != 0) {
    std::printf("  differ:%s\n", example.c_str());
  }
  for (const auto& own : errors) {
    if (own.beyond != 0) {
      std::printf("  beyond the bound, %s: %" PRIu64 " values, such as (%a, %a) = %a, error %g ulp\n",
                  &own == errors ? "fused" : "plain", own.beyond, static_cast<double>(own.x),
                  static_cast<double>(own.y), static_cast<double>(own.got), own.example);
    }
  }
  std::fflush(stdout);
  return different == 0 && errors[0].beyond == 0 && errors[1].beyond == 0;
}

int run(int count, char** words) {
  const uint64_t values = count > 1 ? std::strtoull(words[1], nullptr, 0) : 65536;
  bool good = true;
  int rows = 0;
  for (const auto& function : cohort::math_functions) {
    for (const bool is_double : {false, true}) {
      const std::string name = std::string(function.name) + (is_double ? "" : "f");
      if (count <= 2 || std::find(words + 2, words + count, name) != words + count) {
        const cohort::math_row row{&function, is_double};
        good &= is_double ? measure<double>(row, values) : measure<float>(row, values);
        ++rows;
      }
    }
  }
  return good && rows > 0 ? 0 : 1;
}

}  // namespace
}  // namespace sleef

int main(int count, char** words) {
  try {
    return sleef::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sleef_forms: %s\n", error.what());
    return 2;
  }
}
