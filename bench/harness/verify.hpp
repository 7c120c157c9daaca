// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a side's result with the model's. A wrong result ends the measuring process, and with it the row.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace bench {

template <class T>
void expect_equal(const std::string& side, const T* found, const T* expected, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (found[i] == expected[i]) continue;
    std::fprintf(stderr, "cohort_bench: %s: element %zu is %.9g, not %.9g\n", side.c_str(), i,
                 static_cast<double>(found[i]), static_cast<double>(expected[i]));
    std::exit(1);
  }
}

// Accepts a difference of `relative` times the expected value, and of `absolute` where that is near 0.
template <class T>
void expect_near(const std::string& side, const T* found, const T* expected, size_t count, double relative,
                 double absolute = 0) {
  for (size_t i = 0; i < count; ++i) {
    const auto is = static_cast<double>(found[i]);
    const auto wanted = static_cast<double>(expected[i]);
    if (std::fabs(is - wanted) <= std::fmax(absolute, relative * std::fabs(wanted))) continue;
    std::fprintf(stderr, "cohort_bench: %s: element %zu is %.9g, not %.9g\n", side.c_str(), i, is, wanted);
    std::exit(1);
  }
}

// Accepts different elements, but fewer than `part` of them: a contracted multiplication changes a few results.
template <class T>
void expect_mostly_equal(const std::string& side, const T* found, const T* expected, size_t count, double part) {
  size_t different = 0;
  for (size_t i = 0; i < count; ++i) different += found[i] != expected[i];
  if (static_cast<double>(different) < part * static_cast<double>(count)) return;
  std::fprintf(stderr, "cohort_bench: %s: %zu of %zu elements differ\n", side.c_str(), different, count);
  std::exit(1);
}

}  // namespace bench
