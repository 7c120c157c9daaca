// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The share of a range that a thread of OpenMP has. Without OpenMP there is one thread.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

namespace bench::COHORT_BENCH_BUILD::openmp {

inline int most_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// The part of 0 .. n - 1 that the calling thread of a parallel region has: consecutive elements.
struct share {
  int thread = 0, threads = 1, first, last;

  explicit share(int n) {
#ifdef _OPENMP
    thread = omp_get_thread_num();
    threads = omp_get_num_threads();
#endif
    const int each = (n + threads - 1) / threads;
    first = thread * each < n ? thread * each : n;
    last = first + each < n ? first + each : n;
  }
};

}  // namespace bench::COHORT_BENCH_BUILD::openmp
