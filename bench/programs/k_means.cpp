// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

namespace {

constexpr int axes = problems::k_means::axes, clusters = problems::k_means::clusters;
constexpr int chunk = 256;  // points that one pass over the centers compares, in vectors

void find_nearest(const problems::k_means& p, int first, int last) {
  float least[chunk];
  int32_t* nearest = p.nearest + first;
  const int points = last - first;
  for (int i = 0; i < points; ++i) least[i] = 3.4e38f, nearest[i] = 0;
  for (int c = 0; c < clusters; ++c) {
    const float* center = p.centers + c * axes;
#pragma omp simd
    for (int i = 0; i < points; ++i) {
      float square = 0;
      for (int a = 0; a < axes; ++a) {
        const float distance = p.points[a * p.n + first + i] - center[a];
        square += distance * distance;
      }
      const bool closer = square < least[i];
      least[i] = closer ? square : least[i];
      nearest[i] = closer ? c : nearest[i];
    }
  }
}

}  // namespace

void k_means(const problems::k_means& p) {
  for (int turn = 0; turn < p.turns; ++turn) {
    float sums[clusters * axes] = {};
    int32_t counts[clusters] = {};
#pragma omp parallel for schedule(static) reduction(+ : sums, counts)
    for (int first = 0; first < p.n; first += chunk) {
      const int last = std::min(first + chunk, p.n);
      find_nearest(p, first, last);
      for (int i = first; i < last; ++i) {
        const int32_t c = p.nearest[i];
        ++counts[c];
        for (int a = 0; a < axes; ++a) sums[c * axes + a] += p.points[a * p.n + i];
      }
    }
    for (int i = 0; i < clusters * axes; ++i) {
      if (counts[i / axes] > 0) p.centers[i] = sums[i] / static_cast<float>(counts[i / axes]);
    }
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
