// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

namespace {

constexpr int radius = problems::convolution::radius;

void filter_row(const float* in, const float* filter, float* out, int width) {
  const auto at_border = [=](int x) {
    float sum = 0;
    for (int k = std::max(-radius, -x); k <= std::min(radius, width - 1 - x); ++k)
      sum += filter[k + radius] * in[x + k];
    out[x] = sum;
  };
  const int left = std::min(radius, width), right = std::max(left, width - radius);
  for (int x = 0; x < left; ++x) at_border(x);
#pragma omp simd
  for (int x = left; x < right; ++x) {
    float sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += filter[k + radius] * in[x + k];
    out[x] = sum;
  }
  for (int x = right; x < width; ++x) at_border(x);
}

void filter_columns(const problems::convolution& p, int y) {
  constexpr int part = 256;
  const int first = std::max(0, y - radius), last = std::min(p.height - 1, y + radius);
  for (int from = 0; from < p.width; from += part) {
    const int points = std::min(part, p.width - from);
    float sums[part] = {};
    for (int k = first; k <= last; ++k) {
      const float tap = p.filter[k - y + radius];
      const float* row = p.rows + k * p.width + from;
#pragma omp simd
      for (int i = 0; i < points; ++i) sums[i] += tap * row[i];
    }
    std::copy_n(sums, points, p.out + y * p.width + from);
  }
}

}  // namespace

void convolution(const problems::convolution& p) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int y = 0; y < p.height; ++y) filter_row(p.in + y * p.width, p.filter, p.rows + y * p.width, p.width);
#pragma omp for schedule(static)
    for (int y = 0; y < p.height; ++y) filter_columns(p, y);
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
