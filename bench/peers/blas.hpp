// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenBLAS and its LAPACK, the peers of the matrix product, of cuBLAS and of cuSOLVER.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

bool has_blas();
// Returns the library's configuration, or why it is missing.
std::string blas_version();
// computes c = a * b, all of them row-major
void blas_product(const float* a, const float* b, float* c, size_t n);
void blas_product(const double* a, const double* b, double* c, size_t n);
// Replace the symmetric matrix a, of which they read the lower triangle in column order. The first writes its Cholesky
// factor, the second its eigenvectors.
void lapack_cholesky(double* a, size_t n);
void lapack_eigenvalues(double* a, double* values, size_t n);
// Replaces the matrix a by its factors L and U.
void lapack_lu(double* a, int* pivots, size_t n);

}  // namespace bench
