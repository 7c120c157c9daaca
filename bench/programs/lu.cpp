// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

namespace {

constexpr int tile = 32;  // rows and columns that are eliminated together

// Factorizes the `size` columns from `at` on, below the diagonal too.
void factorize_columns(float* m, int n, int at, int size) {
  for (int k = at; k < at + size; ++k) {
    const float pivot = m[k * n + k];
#pragma omp parallel for schedule(static) if (n - k > 256)
    for (int y = k + 1; y < n; ++y) {
      float* row = m + y * n;
      row[k] /= pivot;
      const float factor = row[k];
#pragma omp simd
      for (int x = k + 1; x < at + size; ++x) row[x] -= factor * m[k * n + x];
    }
  }
}

// Solves the rows from `at` on, to the right of the diagonal's tile.
void solve_rows(float* m, int n, int at, int size) {
#pragma omp parallel for schedule(static)
  for (int from = at + size; from < n; from += 64) {
    const int to = std::min(from + 64, n);
    for (int y = at + 1; y < at + size; ++y) {
      for (int k = at; k < y; ++k) {
        const float factor = m[y * n + k];
#pragma omp simd
        for (int x = from; x < to; ++x) m[y * n + x] -= factor * m[k * n + x];
      }
    }
  }
}

}  // namespace

void lu(const problems::lu& p) {
  float* m = p.matrix;
  const int n = p.n;
  for (int at = 0; at < n; at += tile) {
    const int size = std::min(tile, n - at), next = at + size;
    factorize_columns(m, n, at, size);
    if (next == n) break;
    solve_rows(m, n, at, size);
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = next; y < n; ++y) {
      for (int from = next; from < n; from += 64) {
        float sums[64] = {};
        const int width = std::min(64, n - from);
        for (int k = 0; k < size; ++k) {
          const float factor = m[y * n + at + k];
          const float* row = m + (at + k) * n + from;
#pragma omp simd
          for (int x = 0; x < width; ++x) sums[x] += factor * row[x];
        }
        for (int x = 0; x < width; ++x) m[y * n + from + x] -= sums[x];
      }
    }
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
