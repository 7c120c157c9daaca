// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <vector>

#include "openmp_threads.hpp"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

// Each thread adds its range, then scans it from the sum of the ranges before.
void lookback_scan(const problems::lookback_scan& p) {
  std::vector<int32_t> sums(static_cast<size_t>(most_threads()));
#pragma omp parallel
  {
    const share mine(p.n);
    int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = mine.first; i < mine.last; ++i) sum += p.in[i];
    sums[mine.thread] = sum;
#pragma omp barrier
    int32_t running = 0;
    for (int t = 0; t < mine.thread; ++t) running += sums[t];
    for (int i = mine.first; i < mine.last; ++i) p.out[i] = running += p.in[i];
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
