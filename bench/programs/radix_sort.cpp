// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <utility>
#include <vector>

#include "openmp_threads.hpp"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

// A pass sorts by eight bits; each thread counts and moves one range of keys.
void radix_sort(const problems::radix_sort& p) {
  constexpr int digits = 256;
  uint32_t *keys = p.keys, *other = p.other;
  std::vector<uint32_t> counts(static_cast<size_t>(most_threads()) * digits);
  for (int shift = 0; shift < 32; shift += 8) {
#pragma omp parallel
    {
      const share mine(p.n);
      uint32_t next[digits] = {};
      for (int i = mine.first; i < mine.last; ++i) ++next[keys[i] >> shift & (digits - 1)];
      for (int d = 0; d < digits; ++d) counts[d * mine.threads + mine.thread] = next[d];
#pragma omp barrier
#pragma omp single
      {
        uint32_t running = 0;
        for (int i = 0; i < digits * mine.threads; ++i) {
          const uint32_t count = counts[i];
          counts[i] = running;
          running += count;
        }
      }
      for (int d = 0; d < digits; ++d) next[d] = counts[d * mine.threads + mine.thread];
      for (int i = mine.first; i < mine.last; ++i) other[next[keys[i] >> shift & (digits - 1)]++] = keys[i];
    }
    std::swap(keys, other);
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
