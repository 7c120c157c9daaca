// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of sparse and dense vectors and matrices: where their arrays are, and how they are stored. A call copies
// the descriptor, because the program may change it after the call.
#pragma once

#include <cusparse.h>

#include <cstddef>
#include <cstdint>

#include "libraries/cusparse/numbers.hpp"

namespace cohort::cusparse {

// An array of indices of 32 or 64 bits that count from a base.
class index_array {
 public:
  index_array() = default;
  index_array(const void* at, cusparseIndexType_t type, cusparseIndexBase_t base)
      : at_(const_cast<void*>(at)), is_wide_(type == CUSPARSE_INDEX_64I), base_(base) {}

  int64_t operator[](int64_t i) const {
    return (is_wide_ ? static_cast<const int64_t*>(at_)[i] : static_cast<const int32_t*>(at_)[i]) - base_;
  }
  void set(int64_t i, int64_t value) const {
    if (is_wide_) {
      static_cast<int64_t*>(at_)[i] = value + base_;
    } else {
      static_cast<int32_t*>(at_)[i] = static_cast<int32_t>(value + base_);
    }
  }
  void* at() const { return at_; }
  bool is_wide() const { return is_wide_; }
  int64_t base() const { return base_; }
  size_t bytes(int64_t count) const { return static_cast<size_t>(count) * (is_wide_ ? 8 : 4); }
  index_array from(int64_t i) const {
    index_array moved = *this;
    moved.at_ = static_cast<char*>(at_) + bytes(i);
    return moved;
  }

 private:
  void* at_ = nullptr;
  bool is_wide_ = false;
  int64_t base_ = 0;
};

// Values of one type.
struct value_array {
  void* at = nullptr;
  cudaDataType type = CUDA_R_32F;

  size_t bytes(int64_t count) const { return static_cast<size_t>(count) * size_of(type); }
  value_array from(int64_t i) const { return {static_cast<char*>(at) + bytes(i), type}; }
};

// The arrays of a sparse matrix, by its format:
//   CSR, CSC        offsets: of rows or columns; indices: of the other direction
//   COO             offsets: the row of each entry; indices: its column
//   BSR             offsets: of rows of blocks; indices: columns of blocks
//   Blocked-ELL     indices: columns of blocks, negative in blocks without values
//   Sliced-ELL      offsets: of slices; indices: columns, negative in places without values
struct sparse_matrix {
  cusparseFormat_t format;
  int64_t rows = 0, columns = 0, entries = 0;
  void* offsets = nullptr;
  void* indices = nullptr;
  value_array values = {};
  cusparseIndexType_t offsets_type = CUSPARSE_INDEX_32I, indices_type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  int64_t block_rows = 1, block_columns = 1;  // BSR and Blocked-ELL only
  cusparseOrder_t block_order = CUSPARSE_ORDER_ROW;
  int64_t ell_columns = 0;  // values in a row of Blocked-ELL
  int64_t slice_rows = 1;   // rows of a slice, for Sliced-ELL only
  int64_t stored = 0;       // how many values lie in memory
  int batches = 1;
  int64_t offsets_stride = 0, indices_stride = 0, values_stride = 0;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;

  index_array offset_array() const { return {offsets, offsets_type, base}; }
  index_array index_array_of_entries() const { return {indices, indices_type, base}; }
  // The matrix of one batch.
  sparse_matrix at_batch(int64_t batch) const;
};

struct sparse_vector {
  int64_t size = 0, entries = 0;
  void* indices = nullptr;
  value_array values = {};
  cusparseIndexType_t index_type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;

  index_array places() const { return {indices, index_type, base}; }
};

struct dense_vector {
  int64_t size = 0;
  value_array values = {};
};

struct dense_matrix {
  int64_t rows = 0, columns = 0, ld = 0;
  value_array values = {};
  cusparseOrder_t order = CUSPARSE_ORDER_COL;
  int batches = 1;
  int64_t stride = 0;

  int64_t row_step() const { return order == CUSPARSE_ORDER_COL ? 1 : ld; }
  int64_t column_step() const { return order == CUSPARSE_ORDER_COL ? ld : 1; }
  dense_matrix at_batch(int64_t batch) const;
};

}  // namespace cohort::cusparse

struct cusparseSpMatDescr : cohort::cusparse::sparse_matrix {};
struct cusparseSpVecDescr : cohort::cusparse::sparse_vector {};
struct cusparseDnVecDescr : cohort::cusparse::dense_vector {};
struct cusparseDnMatDescr : cohort::cusparse::dense_matrix {};
