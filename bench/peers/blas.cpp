// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas.hpp"

#if COHORT_BENCH_BLAS

#include <cblas.h>

namespace bench {

bool has_blas() { return true; }
std::string blas_version() { return openblas_get_config(); }
void blas_product(const float* a, const float* b, float* c, size_t n) {
  const auto size = static_cast<blasint>(n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0f, a, size, b, size, 0.0f, c, size);
}

}  // namespace bench

#else

namespace bench {

bool has_blas() { return false; }
std::string blas_version() { return "not installed"; }
void blas_product(const float*, const float*, float*, size_t) {}

}  // namespace bench

#endif
