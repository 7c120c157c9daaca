// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

namespace {

constexpr int rows = 4, columns = 64, depth = 256;  // a part of b, columns x depth, stays in the caches

// Adds to rows y to y + 3 of c the product of these rows of a and part k of b.
void add_rows(const problems::matrix_tiles& p, int y, int x, int k, int last) {
  float sums[rows][columns] = {};
  const int width = std::min(columns, p.n - x);
  for (; k < last; ++k) {
    const float* b = p.b + k * p.n + x;
    const float* a = p.a + y * p.n + k;
    const float a0 = a[0], a1 = a[p.n], a2 = a[2 * p.n], a3 = a[3 * p.n];
#pragma omp simd
    for (int i = 0; i < width; ++i) {
      sums[0][i] += a0 * b[i];
      sums[1][i] += a1 * b[i];
      sums[2][i] += a2 * b[i];
      sums[3][i] += a3 * b[i];
    }
  }
  for (int r = 0; r < rows; ++r) {
#pragma omp simd
    for (int i = 0; i < width; ++i) p.c[(y + r) * p.n + x + i] += sums[r][i];
  }
}

}  // namespace

void matrix_tiles(const problems::matrix_tiles& p) {
  const int n = p.n;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n * n; ++i) p.c[i] = 0;
#pragma omp parallel for schedule(static)
  for (int x = 0; x < n; x += columns) {
    for (int k = 0; k < n; k += depth) {
      for (int y = 0; y < n; y += rows) add_rows(p, y, x, k, std::min(k + depth, n));
    }
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
