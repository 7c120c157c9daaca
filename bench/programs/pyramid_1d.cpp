// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

void pyramid_1d(const problems::pyramid_1d& p) {
  const int n = p.columns;
  int32_t *from = p.first, *to = p.second;
  // The kernels swap the arrays once in a launch, the loop below once in a row. It begins so that the result ends in
  // the same array.
  const int launches = (p.rows + p.steps - 1) / p.steps;
  if (p.rows % 2 != launches % 2) {
    std::copy_n(from, n, to);
    std::swap(from, to);
  }
#pragma omp parallel
  for (int row = 0; row < p.rows; ++row) {
    const int32_t* cost = p.cost + row * n;
    const int32_t* in = row % 2 == 0 ? from : to;
    int32_t* out = row % 2 == 0 ? to : from;
#pragma omp for simd schedule(static)
    for (int x = 1; x < n - 1; ++x) out[x] = std::min(std::min(in[x - 1], in[x]), in[x + 1]) + cost[x];
#pragma omp single
    {
      out[0] = std::min(in[0], in[1]) + cost[0];
      out[n - 1] = std::min(in[n - 2], in[n - 1]) + cost[n - 1];
    }
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
