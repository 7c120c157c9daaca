// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenBLAS, the peer of the matrix product.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

bool has_blas();
// Returns the library's configuration, or why it is missing.
std::string blas_version();
// c = a * b, row-major.
void blas_product(const float* a, const float* b, float* c, size_t n);

}  // namespace bench
