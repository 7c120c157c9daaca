// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

void back_propagation(const problems::back_propagation& p) {
  constexpr int units = problems::back_propagation::hidden_units;
  float sums[units] = {};
#pragma omp parallel for schedule(static) reduction(+ : sums)
  for (int row = 0; row < p.inputs; ++row) {
    const float* weights = p.weights + row * units;
#pragma omp simd
    for (int u = 0; u < units; ++u) sums[u] += weights[u] * p.input[row];
  }
  for (int u = 0; u < units; ++u) p.hidden[u] = 1.0f / (1.0f + std::exp(-sums[u]));
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.inputs; ++row) {
    float* weights = p.weights + row * units;
    float* change = p.change + row * units;
#pragma omp simd
    for (int u = 0; u < units; ++u) {
      change[u] = problems::back_propagation::rate * p.delta[u] * p.input[row] +
                  problems::back_propagation::momentum * change[u];
      weights[u] += change[u];
    }
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
