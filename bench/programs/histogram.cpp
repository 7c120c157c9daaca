// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

void histogram(const problems::histogram& p) {
  uint32_t counts[256] = {};
#pragma omp parallel reduction(+ : counts)
  {
    uint32_t several[4][256] = {};  // four tables: equal adjacent bytes increment different words
#pragma omp for schedule(static)
    for (int i = 0; i < p.n / 4; ++i) {
      for (int k = 0; k < 4; ++k) ++several[k][p.in[4 * i + k]];
    }
    for (const auto& one : several) {
      for (int v = 0; v < 256; ++v) counts[v] += one[v];
    }
  }
  for (int i = p.n / 4 * 4; i < p.n; ++i) ++counts[p.in[i]];
  std::copy_n(counts, 256, p.counts);
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
