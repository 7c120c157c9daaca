// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::openmp {

void sparse_product(const problems::sparse_product& p) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.rows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int k = p.first[row]; k < p.first[row + 1]; ++k) sum += p.value[k] * p.vector[p.column[k]];
    p.out[row] = sum;
  }
}

}  // namespace bench::COHORT_BENCH_BUILD::openmp
