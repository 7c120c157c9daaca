// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triangular systems with a BSR matrix whose arrays are arguments of a call: bsrsv2, bsrsm2. The triangle is that of
// the matrix's elements. A program's analysis finds the places of the triangle's elements, a solution reads the values.
#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "libraries/common/parallel_for.hpp"
#include "libraries/cusparse/blocks.hpp"
#include "libraries/cusparse/incomplete_factors.hpp"
#include "libraries/cusparse/triangle.hpp"

namespace cohort::cusparse {

namespace {

// The contents of the descriptors of bsrsv2 and bsrsm2.
struct block_analysis {
  std::shared_ptr<triangle> of;
  factorization pivots_of_blocks;
  int64_t rows = -1;  // rows of the analyzed matrix
  cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
};

checks check_system(const call& c, cusparseOperation_t op, const block_matrix& a, const block_analysis* info) {
  checks valid(c);
  a.check(valid);
  valid.is_op(op).pointers(info);
  return valid;
}

cusparseStatus_t analyze(const call& c, cusparseOperation_t op, const block_matrix& a, cudaDataType type,
                         block_analysis* info) {
  const checks valid = check_system(c, op, a, info);
  if (!valid.hold()) return valid.status();
  const sparse_matrix matrix = a.as(type);
  info->of = std::make_shared<triangle>(), info->rows = matrix.rows, info->op = op;
  return submit(c, matrix.entries, false,
                [matrix, op, t = info->of, zeros = info->pivots_of_blocks.zeros](memory_accesses& memory) {
                  if (!report(memory, matrix, access::pattern)) return;
                  *t = triangle(), *zeros = pivots();
                  find_entries(matrix, op, *t);
                  std::vector<bool> has_pivot(static_cast<size_t>(matrix.rows));
                  for (const auto& [row, place] : t->diagonal_places) has_pivot[static_cast<size_t>(row)] = true;
                  const auto missing = std::find(has_pivot.begin(), has_pivot.end(), false);
                  if (!t->is_unit && missing != has_pivot.end())
                    zeros->structural = (missing - has_pivot.begin()) / matrix.block_rows + matrix.base;
                });
}

// Copies the values of the triangle. The first block with a zero on its diagonal is not invertible.
template <class Number>
void copy_values(const sparse_matrix& a, triangle& t, pivots& zeros) {
  functions_of(t.type).copy_all(t, a.values.at);
  zeros.numerical = -1;
  const auto* const diagonal = reinterpret_cast<const Number*>(t.diagonal.data());
  for (int64_t row = 0; row < t.rows && !t.is_unit; ++row) {
    if (diagonal[row] == Number()) zeros.note_numerical(row / a.block_rows + a.base);
  }
}

// The right-hand sides and the solutions: columns of a matrix, or of the transposed one.
struct right_sides {
  const void* b;
  int64_t ldb;
  void* x;
  int64_t ldx;
  int count;
  bool is_transposed;
};

template <class T>
cusparseStatus_t solve(const call& c, cusparseOperation_t op, const block_matrix& a, const T* alpha,
                       block_analysis* info, const right_sides& sides) {
  checks valid = check_system(c, op, a, info);
  valid.pointers(alpha).require(a.rows == 0 || sides.count == 0 || (sides.b && sides.x));
  if (!valid.hold()) return valid.status();
  const sparse_matrix matrix = a.as(data_type_of<T>);
  valid.require(info->rows == matrix.rows && info->op == op);
  const int64_t least = std::max<int64_t>(1, sides.is_transposed ? sides.count : matrix.rows);
  valid.require(sides.ldb >= least && sides.ldx >= least);
  if (!valid.hold()) return valid.status();
  const auto as_matrix = [&](const void* at, int64_t ld) {
    const cusparseOrder_t order = sides.is_transposed ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    return dense_matrix{matrix.rows, sides.count, ld, {const_cast<void*>(at), data_type_of<T>}, order};
  };
  return submit(
      c, matrix.entries * sides.count, false,
      [matrix, t = info->of, zeros = info->pivots_of_blocks.zeros, b = as_matrix(sides.b, sides.ldb),
       x = as_matrix(sides.x, sides.ldx), alpha = factor(c, data_type_of<T>, alpha)](memory_accesses& memory) {
        const any_number by = alpha.read(memory);
        if (!report(memory, matrix, access::reads) || !report(memory, b, access::reads) ||
            !report(memory, x, access::writes)) {
          return;
        }
        copy_values<number_for<T>>(matrix, *t, *zeros);
        libraries::parallel_for(
            x.columns, rows_per_part(x.columns, matrix.entries * x.columns), [&](int64_t begin, int64_t end) {
              for (int64_t k = begin; k < end; ++k) {
                functions_of(t->type).solve(*t, by, b.values.from(k * b.column_step()).at, b.row_step(),
                                            x.values.from(k * x.column_step()).at, x.row_step());
              }
            });
      });
}

// Checks the arguments of bsrsm2, which has no conjugate transpose of the right-hand sides.
checks check_sides(const call& c, cusparseOperation_t op, cusparseOperation_t op_x, const block_matrix& a, int count,
                   const block_analysis* info) {
  checks valid = check_system(c, op, a, info);
  valid.is_op(op_x).sizes(count);
  return valid.supports(op_x != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, "bsrsm2 does not conjugate the right sides");
}

}  // namespace

}  // namespace cohort::cusparse

struct bsrsv2Info : cohort::cusparse::block_analysis {};
struct bsrsm2Info : cohort::cusparse::block_analysis {};

using namespace cohort::cusparse;

#define COHORT_BLOCK_SYSTEMS(X, T)                                                                                     \
  cusparseStatus_t cusparse##X##bsrsv2_bufferSize(cusparseHandle_t handle, cusparseDirection_t dir,                    \
                                                  cusparseOperation_t op, int mb, int nnzb,                            \
                                                  const cusparseMatDescr_t descr, T* values, const int* offsets,       \
                                                  const int* columns, int block_dim, bsrsv2Info_t info, int* size) {   \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_dim};                               \
    return find_size(check_system({handle, "cusparse" #X "bsrsv2_bufferSize"}, op, a, info), size);                    \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##bsrsv2_bufferSizeExt(                                                                  \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, int mb, int nnzb,                      \
      const cusparseMatDescr_t descr, T* values, const int* offsets, const int* columns, int block_size,               \
      bsrsv2Info_t info, size_t* size) {                                                                               \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_size};                              \
    return nominal_size(check_system({handle, "cusparse" #X "bsrsv2_bufferSizeExt"}, op, a, info), size);              \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##bsrsv2_analysis(                                                                       \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, int mb, int nnzb,                      \
      const cusparseMatDescr_t descr, const T* values, const int* offsets, const int* columns, int block_dim,          \
      bsrsv2Info_t info, cusparseSolvePolicy_t, void*) {                                                               \
    return analyze({handle, "cusparse" #X "bsrsv2_analysis"}, op,                                                      \
                   {dir, mb, mb, nnzb, descr, values, offsets, columns, block_dim}, data_type_of<T>, info);            \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##bsrsv2_solve(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, \
                                             int mb, int nnzb, const T* alpha, const cusparseMatDescr_t descr,         \
                                             const T* values, const int* offsets, const int* columns, int block_dim,   \
                                             bsrsv2Info_t info, const T* f, T* x, cusparseSolvePolicy_t, void*) {      \
    const int64_t size = std::max<int64_t>(1, int64_t{mb} * block_dim);                                                \
    return solve({handle, "cusparse" #X "bsrsv2_solve"}, op,                                                           \
                 {dir, mb, mb, nnzb, descr, values, offsets, columns, block_dim}, alpha, info,                         \
                 {f, size, x, size, 1, false});                                                                        \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##bsrsm2_bufferSize(                                                                     \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, cusparseOperation_t op_x, int mb,      \
      int n, int nnzb, const cusparseMatDescr_t descr, T* values, const int* offsets, const int* columns,              \
      int block_size, bsrsm2Info_t info, int* size) {                                                                  \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_size};                              \
    return find_size(check_sides({handle, "cusparse" #X "bsrsm2_bufferSize"}, op, op_x, a, n, info), size);            \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##bsrsm2_bufferSizeExt(                                                                  \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, cusparseOperation_t op_x, int mb,      \
      int n, int nnzb, const cusparseMatDescr_t descr, T* values, const int* offsets, const int* columns,              \
      int block_size, bsrsm2Info_t info, size_t* size) {                                                               \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_size};                              \
    return nominal_size(check_sides({handle, "cusparse" #X "bsrsm2_bufferSizeExt"}, op, op_x, a, n, info), size);      \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##bsrsm2_analysis(                                                                       \
      cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, cusparseOperation_t op_x, int mb,      \
      int n, int nnzb, const cusparseMatDescr_t descr, const T* values, const int* offsets, const int* columns,        \
      int block_size, bsrsm2Info_t info, cusparseSolvePolicy_t, void*) {                                               \
    const call c{handle, "cusparse" #X "bsrsm2_analysis"};                                                             \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_size};                              \
    const checks valid = check_sides(c, op, op_x, a, n, info);                                                         \
    return valid.hold() ? analyze(c, op, a, data_type_of<T>, info) : valid.status();                                   \
  }                                                                                                                    \
  cusparseStatus_t cusparse##X##bsrsm2_solve(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, \
                                             cusparseOperation_t op_x, int mb, int n, int nnzb, const T* alpha,        \
                                             const cusparseMatDescr_t descr, const T* values, const int* offsets,      \
                                             const int* columns, int block_size, bsrsm2Info_t info, const T* b,        \
                                             int ldb, T* x, int ldx, cusparseSolvePolicy_t, void*) {                   \
    const call c{handle, "cusparse" #X "bsrsm2_solve"};                                                                \
    const block_matrix a{dir, mb, mb, nnzb, descr, values, offsets, columns, block_size};                              \
    const checks valid = check_sides(c, op, op_x, a, n, info);                                                         \
    if (!valid.hold()) return valid.status();                                                                          \
    return solve(c, op, a, alpha, info, {b, ldb, x, ldx, n, op_x != CUSPARSE_OPERATION_NON_TRANSPOSE});                \
  }

extern "C" {

cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t info) { return destroy(info); }
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t handle, bsrsv2Info_t info, int* position) {
  return find_zero_pivot({handle, "cusparseXbsrsv2_zeroPivot"}, info ? &info->pivots_of_blocks : nullptr, position);
}
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t* info) { return statuses.create(info); }
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t info) { return destroy(info); }
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t handle, bsrsm2Info_t info, int* position) {
  return find_zero_pivot({handle, "cusparseXbsrsm2_zeroPivot"}, info ? &info->pivots_of_blocks : nullptr, position);
}

COHORT_BLOCK_SYSTEMS(S, float)
COHORT_BLOCK_SYSTEMS(D, double)
COHORT_BLOCK_SYSTEMS(C, cuComplex)
COHORT_BLOCK_SYSTEMS(Z, cuDoubleComplex)

}  // extern "C"
