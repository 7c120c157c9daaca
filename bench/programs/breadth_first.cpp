// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>
#include <vector>

#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

void breadth_first(const problems::breadth_first& p) {
  int32_t *frontier = p.frontier, *next = p.next;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < p.nodes; ++i) p.distance[i] = -1;
  p.distance[0] = 0;
  frontier[0] = 0;
  int size = 1;
  for (int level = 1; size > 0; ++level) {
    int count = 0;
#pragma omp parallel if (size > 256)
    {
      std::vector<int32_t> found;
#pragma omp for schedule(dynamic, 256) nowait
      for (int i = 0; i < size; ++i) {
        for (int32_t k = p.first[frontier[i]]; k < p.first[frontier[i] + 1]; ++k) {
          int32_t* other = p.distance + p.edge[k];
          int32_t unseen = -1;
          if (__atomic_load_n(other, __ATOMIC_RELAXED) < 0 &&
              __atomic_compare_exchange_n(other, &unseen, level, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            found.push_back(p.edge[k]);
          }
        }
      }
      int place;
#pragma omp atomic capture
      {
        place = count;
        count += static_cast<int>(found.size());
      }
      std::copy(found.begin(), found.end(), next + place);
    }
    size = count;
    std::swap(frontier, next);
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
