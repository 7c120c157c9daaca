// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors without fill-in of a matrix in rows of entries, with the pivots that a program asks for.
#pragma once

#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <memory>

#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

// The first row without a pivot, which the program reads after the factorization; -1: none. Written in a stream.
struct pivots {
  int64_t structural = -1, numerical = -1;

  void note_numerical(int64_t row) {
    if (numerical < 0) numerical = row;
  }
  int64_t first() const { return structural >= 0 ? structural : numerical; }
};

// Settings and result of a factorization, which its descriptor holds.
struct factorization {
  std::shared_ptr<pivots> zeros = std::make_shared<pivots>();
  bool boosts = false;  // replaces small pivots
  double tolerance = 0;
  any_number boost;
};

// Rows of a CSR matrix with sorted columns.
template <class Number>
class factor_rows {
 public:
  factor_rows(int rows, const int* offsets, const int* columns, Number* values, int base)
      : rows_(rows), offsets_(offsets), columns_(columns), values_(values), base_(base) {}

  int64_t rows() const { return rows_; }
  int64_t begin(int64_t row) const { return offsets_[row] - base_; }
  int64_t end(int64_t row) const { return offsets_[row + 1] - base_; }
  int64_t column(int64_t entry) const { return columns_[entry] - base_; }
  Number& operator[](int64_t entry) const { return values_[entry]; }
  // The row's entry in column `wanted`; end() if there is none.
  int64_t find(int64_t row, int64_t wanted) const {
    const int* const first = columns_ + begin(row);
    const int* const last = columns_ + end(row);
    const int* const found = std::lower_bound(first, last, wanted + base_);
    return found != last && *found == wanted + base_ ? found - columns_ : end(row);
  }

 private:
  int64_t rows_;
  const int* offsets_;
  const int* columns_;
  Number* values_;
  int64_t base_;
};

// L and U in the places of A, with ones on the diagonal of L.
template <class Number>
void factor_lu(const factor_rows<Number>& a, const factorization& settings, pivots& zeros) {
  for (int64_t row = 0; row < a.rows(); ++row) {
    for (int64_t k = a.begin(row); k < a.end(row) && a.column(k) < row; ++k) {
      const int64_t upper = a.column(k), pivot = a.find(upper, upper);
      if (pivot == a.end(upper)) continue;
      a[k] /= a[pivot];
      int64_t mine = k + 1;
      for (int64_t theirs = pivot + 1; theirs < a.end(upper); ++theirs) {
        while (mine < a.end(row) && a.column(mine) < a.column(theirs)) ++mine;
        if (mine < a.end(row) && a.column(mine) == a.column(theirs)) a[mine] -= times(a[k], a[theirs]);
      }
    }
    const int64_t diagonal = a.find(row, row);
    if (diagonal == a.end(row)) continue;
    if (settings.boosts && std::abs(a[diagonal]) <= settings.tolerance) a[diagonal] = number_of<Number>(settings.boost);
    if (a[diagonal] == Number()) zeros.note_numerical(row);
  }
}

// L in the places of A's lower triangle: A = L * L^H.
template <class Number>
void factor_cholesky(const factor_rows<Number>& a, const factorization&, pivots& zeros) {
  for (int64_t row = 0; row < a.rows(); ++row) {
    for (int64_t k = a.begin(row); k < a.end(row) && a.column(k) <= row; ++k) {
      const int64_t other = a.column(k);
      Number sum = a[k];
      int64_t theirs = a.begin(other);
      for (int64_t mine = a.begin(row); mine < k; ++mine) {
        while (theirs < a.end(other) && a.column(theirs) < a.column(mine)) ++theirs;
        if (theirs < a.end(other) && a.column(theirs) == a.column(mine)) sum -= times(a[mine], conjugate(a[theirs]));
      }
      if (other < row) {
        const int64_t pivot = a.find(other, other);
        a[k] = pivot == a.end(other) ? sum : sum / a[pivot];
      } else {
        if (!(std::real(sum) > 0)) zeros.note_numerical(row);
        a[k] = std::sqrt(std::real(sum));
      }
    }
  }
}

// Waits for the work of the stream, and returns the first row without a pivot.
cusparseStatus_t find_zero_pivot(const call& c, const factorization* info, int* position);

// Sets or ends the replacement of small pivots. The tolerance and the value are read at this call, from device memory
// after the work of the stream.
template <class T>
cusparseStatus_t set_boost(cusparseHandle_t handle, const char* name, factorization* info, int enable,
                           const double* tol, const T* value) {
  const call c{handle, name};
  checks valid(c);
  valid.pointers(info).require(!enable || (tol && value));
  if (!valid.hold()) return valid.status();
  info->boosts = enable != 0;
  if (!enable) return CUSPARSE_STATUS_SUCCESS;
  if (!c.has_host_pointers() && cudaStreamSynchronize(handle->stream) != cudaSuccess) {
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
  info->tolerance = *tol;
  std::memcpy(info->boost.bytes, value, sizeof *value);
  return CUSPARSE_STATUS_SUCCESS;
}

// The size of the work space as an int.
inline cusparseStatus_t find_size(const checks& valid, int* size) {
  if (!valid.hold()) return valid.status();
  if (!size) return CUSPARSE_STATUS_INVALID_VALUE;
  *size = nominal_buffer;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace cohort::cusparse
