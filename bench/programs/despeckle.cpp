// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

void despeckle(const problems::despeckle& p) {
  const int n = p.rows * p.columns;
  float *image = p.image, *other = p.other;
  for (int s = 0; s < p.steps; ++s) {
    float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += image[i];
    const float mean = sum / static_cast<float>(n);
#pragma omp parallel for schedule(static)
    for (int column = 0; column < p.columns; ++column) {
      const float* in = image + p.rows * column;
      const float* left = image + p.rows * p.west[column];
      const float* right = image + p.rows * p.east[column];
      float* out = other + p.rows * column;
#pragma omp simd
      for (int row = 0; row < p.rows; ++row) {
        const float c = in[row], around = in[p.north[row]] + in[p.south[row]] + left[row] + right[row];
        out[row] = c + 0.2f * (around - 4.0f * c) + 0.01f * (mean - c);
      }
    }
    std::swap(image, other);
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
