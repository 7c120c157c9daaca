// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes, distances and enumerations that a call passes to OpenBLAS.
#pragma once

#include <cudart_detail/cublas/types.h>

#include <cstdint>

namespace cohort::libraries {

inline constexpr char no_wide_indices[] = "OpenBLAS has no sizes of more than 31 bits";

// Collects the checks of a call's arguments. All checks are made, then the call reads the result.
class argument_checks {
 public:
  argument_checks& require(bool holds) {
    hold_ = hold_ && holds;
    return *this;
  }
  // Requires sizes that are not negative. fit() becomes false if a size exceeds OpenBLAS's indices of 32 bits.
  template <class... Sizes>
  argument_checks& sizes(Sizes... each) {
    (require(each >= 0), ...);
    return indices(each...);
  }
  template <class... Indices>
  argument_checks& indices(Indices... each) {
    fit_ = fit_ && (... && (each <= INT32_MAX && each >= INT32_MIN));
    return *this;
  }
  // A distance of columns: at least `rows` and 1.
  argument_checks& columns(int64_t ld, int64_t rows) { return require(ld >= (rows > 1 ? rows : 1)).indices(ld); }
  template <class... Increments>
  argument_checks& increments(Increments... each) {
    (require(each != 0), ...);
    return indices(each...);
  }
  template <class... Pointers>
  argument_checks& pointers(Pointers... each) {
    return require((... && (each != nullptr)));
  }
  argument_checks& is_op(cublasOperation_t op) { return require(op >= CUBLAS_OP_N && op <= CUBLAS_OP_C); }
  argument_checks& is_triangle(cublasFillMode_t uplo) {
    return require(uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER);
  }
  argument_checks& is_diagonal(cublasDiagType_t diag) {
    return require(diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT);
  }
  argument_checks& is_side(cublasSideMode_t side) {
    return require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT);
  }

  bool hold() const { return hold_; }
  // False if a size or a distance is too large for OpenBLAS.
  bool fit() const { return fit_; }

 private:
  bool hold_ = true;
  bool fit_ = true;
};

}  // namespace cohort::libraries
