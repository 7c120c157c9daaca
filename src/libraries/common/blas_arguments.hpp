// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of OpenBLAS's functions, by the rules of Fortran: addresses of numbers and of letters.
#pragma once

#include <cudart_detail/cublas/types.h>

#include <cstdint>

namespace cohort::libraries {

// Indices of OpenBLAS have 32 bits.
using blas_int = int;

inline char letter_of(cublasOperation_t op) { return "NTC"[op]; }
inline char letter_of(cublasFillMode_t uplo) { return "LU"[uplo]; }
inline char letter_of(cublasDiagType_t diag) { return "NU"[diag]; }
inline char letter_of(cublasSideMode_t side) { return "LR"[side]; }

// The arguments of OpenBLAS are addresses of numbers of 32 bits.
class blas_argument {
 public:
  blas_argument(int64_t value) : value_(static_cast<blas_int>(value)) {}
  operator const blas_int*() const { return &value_; }

 private:
  blas_int value_;
};

// The letter that stands for an enumeration's value in OpenBLAS, passed by address.
template <class Enumeration>
class blas_letter {
 public:
  blas_letter(Enumeration value) : letter_(letter_of(value)) {}
  operator const char*() const { return &letter_; }

 private:
  char letter_;
};

}  // namespace cohort::libraries
