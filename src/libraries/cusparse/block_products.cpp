// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a BSR matrix whose arrays are arguments of a call: bsrmv, bsrxmv, bsrmm.
#include <cusparse.h>

#include <algorithm>
#include <cstdint>

#include "libraries/cusparse/blocks.hpp"
#include "libraries/cusparse/products.hpp"

namespace cohort::cusparse {

namespace {

constexpr const char* transpose_refused = "the matrix of blocks is not transposed";

template <class T>
cusparseStatus_t multiply_vector(const call& c, cusparseOperation_t op, const T* alpha, const block_matrix& a,
                                 const T* x, const T* beta, T* y) {
  checks valid(c);
  a.check(valid);
  valid.pointers(alpha, beta).is_op(op).require((a.rows == 0 || y) && (a.columns == 0 || x));
  valid.supports(op == CUSPARSE_OPERATION_NON_TRANSPOSE, transpose_refused);
  if (!valid.hold()) return valid.status();
  const sparse_matrix matrix = a.as(data_type_of<T>);
  const dense_vector from{matrix.columns, {const_cast<T*>(x), data_type_of<T>}};
  return submit_product(c, op, alpha, matrix, from, beta, {matrix.rows, {y, data_type_of<T>}}, data_type_of<T>);
}

template <class T>
cusparseStatus_t multiply_matrix(const call& c, cusparseOperation_t op_a, cusparseOperation_t op_b, int n,
                                 const T* alpha, const block_matrix& a, const T* b, int ldb, const T* beta, T* result,
                                 int ldc) {
  checks valid(c);
  a.check(valid);
  valid.pointers(alpha, beta).sizes(n).is_op(op_a).is_op(op_b);
  if (!valid.hold()) return valid.status();
  const sparse_matrix matrix = a.as(data_type_of<T>);
  const bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  valid.require(ldb >= std::max<int64_t>(1, plain ? matrix.columns : n) && ldc >= std::max<int64_t>(1, matrix.rows))
      .require((matrix.rows == 0 || n == 0 || result) && (matrix.columns == 0 || n == 0 || b))
      .supports(op_a == CUSPARSE_OPERATION_NON_TRANSPOSE, transpose_refused)
      .supports(op_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, "the dense matrix is not conjugated");
  if (!valid.hold()) return valid.status();
  const value_array b_values{const_cast<T*>(b), data_type_of<T>};
  const dense_matrix from{plain ? matrix.columns : n, plain ? n : matrix.columns, ldb, b_values};
  return submit_product(c, op_a, op_b, alpha, matrix, from, beta, {matrix.rows, n, ldc, {result, data_type_of<T>}},
                        data_type_of<T>);
}

// The rows of blocks that a mask names, and where each row of blocks ends.
struct masked_rows {
  int count;
  const int *rows, *ends;
};

// Adds the product of the block row from `first` to `end` to the elements of y. Other elements are not changed.
template <class Number>
void multiply_block_row(const block_matrix& a, int row, int first, int end, Number alpha, const Number* x, Number beta,
                        Number* y) {
  const int64_t size = a.size, base = a.descr->base;
  const auto* const values = static_cast<const Number*>(a.values);
  for (int64_t inner = 0; inner < size; ++inner) {
    Number sum{};
    for (int64_t block = first - base; alpha != Number() && block < end - base; ++block) {
      for (int64_t k = 0; k < size; ++k) {
        const int64_t inside = a.direction == CUSPARSE_DIRECTION_ROW ? inner * size + k : k * size + inner;
        sum += times(values[block * size * size + inside], x[(a.indices[block] - base) * size + k]);
      }
    }
    finish_element(y[row * size + inner], alpha, sum, beta);
  }
}

template <class T>
cusparseStatus_t multiply_masked(const call& c, cusparseOperation_t op, const T* alpha, const block_matrix& a,
                                 const masked_rows& mask, const T* x, const T* beta, T* y) {
  using number = number_for<T>;
  checks valid(c);
  a.check(valid);
  valid.pointers(alpha, beta).sizes(mask.count).is_op(op).require(mask.count <= a.rows);
  valid.require(mask.count == 0 || (mask.rows && mask.ends && x && y));
  valid.supports(op == CUSPARSE_OPERATION_NON_TRANSPOSE, transpose_refused);
  if (!valid.hold() || mask.count == 0) return valid.status();
  const factor factor_a(c, data_type_of<T>, alpha), factor_b(c, data_type_of<T>, beta);
  const cusparseMatDescr descr = *a.descr;
  const int64_t size = a.size;
  return submit(c, int64_t{a.blocks} * size * size, false, [=](memory_accesses& memory) {
    const auto by_a = number_of<number>(factor_a.read(memory)), by_b = number_of<number>(factor_b.read(memory));
    if (!reads(memory, mask.rows, mask.count) || !reads(memory, a.offsets, a.rows) ||
        !reads(memory, mask.ends, a.rows) || !reads(memory, a.indices, a.blocks) ||
        !reads(memory, static_cast<const T*>(a.values), a.blocks * size * size) ||
        !reads(memory, x, a.columns * size) || !writes(memory, y, a.rows * size)) {
      return;
    }
    block_matrix own = a;
    own.descr = const_cast<cusparseMatDescr_t>(&descr);
    for (int i = 0; i < mask.count; ++i) {
      const int row = mask.rows[i] - static_cast<int>(descr.base);
      multiply_block_row(own, row, a.offsets[row], mask.ends[row], by_a, reinterpret_cast<const number*>(x), by_b,
                         reinterpret_cast<number*>(y));
    }
  });
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

#define COHORT_BLOCK_PRODUCTS(X, T)                                                                                   \
  cusparseStatus_t cusparse##X##bsrmv(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op,       \
                                      int mb, int nb, int nnzb, const T* alpha, const cusparseMatDescr_t descr,       \
                                      const T* values, const int* offsets, const int* columns, int block_dim,         \
                                      const T* x, const T* beta, T* y) {                                              \
    return multiply_vector({handle, "cusparse" #X "bsrmv"}, op, alpha,                                                \
                           {dir, mb, nb, nnzb, descr, values, offsets, columns, block_dim}, x, beta, y);              \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##bsrxmv(                                                                               \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, int mask_size, int mb, int nb,        \
      int nnzb, const T* alpha, const cusparseMatDescr_t descr, const T* values, const int* mask, const int* offsets, \
      const int* ends, const int* columns, int block_dim, const T* x, const T* beta, T* y) {                          \
    return multiply_masked({handle, "cusparse" #X "bsrxmv"}, op, alpha,                                               \
                           {dir, mb, nb, nnzb, descr, values, offsets, columns, block_dim}, {mask_size, mask, ends},  \
                           x, beta, y);                                                                               \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##bsrmm(                                                                                \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a, cusparseOperation_t op_b, int mb,   \
      int n, int kb, int nnzb, const T* alpha, const cusparseMatDescr_t descr, const T* values, const int* offsets,   \
      const int* columns, const int block_size, const T* b, const int ldb, const T* beta, T* c, int ldc) {            \
    return multiply_matrix({handle, "cusparse" #X "bsrmm"}, op_a, op_b, n, alpha,                                     \
                           {dir, mb, kb, nnzb, descr, values, offsets, columns, block_size}, b, ldb, beta, c, ldc);   \
  }

extern "C" {

COHORT_BLOCK_PRODUCTS(S, float)
COHORT_BLOCK_PRODUCTS(D, double)
COHORT_BLOCK_PRODUCTS(C, cuComplex)
COHORT_BLOCK_PRODUCTS(Z, cuDoubleComplex)

}  // extern "C"
