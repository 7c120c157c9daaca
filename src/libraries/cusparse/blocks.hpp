// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A BSR matrix whose arrays are arguments of a call.
#pragma once

#include <cusparse.h>

#include <cstdint>

#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

// The blocks of a BSR matrix: their sizes, and the order of the elements in a block.
struct block_shape {
  cusparseDirection_t direction;
  int rows, columns;
};
// A BSR matrix of a call with 32-bit indices, of `rows` times `columns` blocks.
inline sparse_matrix bsr_matrix(int rows, int columns, int blocks, const int* offsets, const int* indices,
                                const void* values, cudaDataType type, const block_shape& shape,
                                const cusparseMatDescr& descr) {
  const int64_t size = int64_t{shape.rows} * shape.columns;
  sparse_matrix m = csr_matrix(int64_t{rows} * shape.rows, int64_t{columns} * shape.columns, blocks * size, offsets,
                               indices, values, type, descr.base);
  m.format = CUSPARSE_FORMAT_BSR;
  m.block_rows = shape.rows;
  m.block_columns = shape.columns;
  m.block_order = shape.direction == CUSPARSE_DIRECTION_ROW ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
  m.fill = descr.fill;
  m.diagonal = descr.diagonal;
  return m;
}
// Requires a direction, a positive size of blocks, and a matrix that is general.
inline checks& check_blocks(checks& valid, const block_shape& shape, cusparseMatDescr_t descr) {
  valid.pointers(descr).require(shape.rows > 0 && shape.columns > 0);
  valid.require(shape.direction == CUSPARSE_DIRECTION_ROW || shape.direction == CUSPARSE_DIRECTION_COLUMN);
  return require_general(valid, descr);
}

// A BSR matrix with square blocks, as the caller passes it.
struct block_matrix {
  cusparseDirection_t direction;
  int rows, columns, blocks;
  cusparseMatDescr_t descr;
  const void* values;
  const int *offsets, *indices;
  int size;  // rows and columns of a block

  block_shape shape() const { return {direction, size, size}; }
  sparse_matrix as(cudaDataType type) const {
    return bsr_matrix(rows, columns, blocks, offsets, indices, values, type, shape(), *descr);
  }
  void check(checks& valid) const {
    check_blocks(valid, shape(), descr).sizes(rows, columns, blocks).pointers(offsets);
    valid.require(blocks == 0 || (values && indices));
  }
};

}  // namespace cohort::cusparse
