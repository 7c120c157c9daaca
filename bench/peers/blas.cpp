// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas.hpp"

#if COHORT_BENCH_BLAS

#include <cblas.h>

#include <vector>

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, size_t);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info, size_t, size_t);
}

namespace bench {

bool has_blas() { return true; }
std::string blas_version() { return openblas_get_config(); }
void blas_product(const float* a, const float* b, float* c, size_t n) {
  const auto size = static_cast<blasint>(n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0f, a, size, b, size, 0.0f, c, size);
}
void blas_product(const double* a, const double* b, double* c, size_t n) {
  const auto size = static_cast<blasint>(n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0, a, size, b, size, 0.0, c, size);
}

void lapack_cholesky(double* a, size_t n) {
  const int order = static_cast<int>(n);
  int info = 0;
  dpotrf_("L", &order, a, &order, &info, 1);
}
void lapack_lu(double* a, int* pivots, size_t n) {
  const int order = static_cast<int>(n);
  int info = 0;
  dgetrf_(&order, &order, a, &order, pivots, &info);
}
void lapack_eigenvalues(double* a, double* values, size_t n) {
  const int order = static_cast<int>(n), ask = -1;
  int info = 0, integers = 0;
  double numbers = 0;
  dsyevd_("V", "L", &order, a, &order, values, &numbers, &ask, &integers, &ask, &info, 1, 1);
  const int lwork = static_cast<int>(numbers);
  std::vector<double> work(static_cast<size_t>(lwork));
  std::vector<int> iwork(static_cast<size_t>(integers));
  dsyevd_("V", "L", &order, a, &order, values, work.data(), &lwork, iwork.data(), &integers, &info, 1, 1);
}

}  // namespace bench

#else

namespace bench {

bool has_blas() { return false; }
std::string blas_version() { return "not installed"; }
void blas_product(const float*, const float*, float*, size_t) {}
void blas_product(const double*, const double*, double*, size_t) {}
void lapack_cholesky(double*, size_t) {}
void lapack_lu(double*, int*, size_t) {}
void lapack_eigenvalues(double*, double*, size_t) {}

}  // namespace bench

#endif
