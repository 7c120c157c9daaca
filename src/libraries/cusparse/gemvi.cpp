// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a dense matrix and a sparse vector: gemvi.
#include <cusparse.h>

#include <algorithm>
#include <cstdint>

#include "libraries/cusparse/matrix_settings.hpp"

namespace cohort::cusparse {

namespace {

// A dense matrix in columns.
template <class T>
struct dense_operand {
  cusparseOperation_t op;
  int rows, columns;
  const T* values;
  int ld;

  bool is_plain() const { return op == CUSPARSE_OPERATION_NON_TRANSPOSE; }
  int result_size() const { return is_plain() ? rows : columns; }
  int vector_size() const { return is_plain() ? columns : rows; }
};
template <class T>
struct sparse_operand {
  int entries;
  const T* values;
  const int* indices;
  cusparseIndexBase_t base;
};

template <class T>
void multiply(const dense_operand<T>& a, number_for<T> alpha, const sparse_operand<T>& x, number_for<T> beta, T* y) {
  using number = number_for<T>;
  const auto* const values = reinterpret_cast<const number*>(a.values);
  const auto* const numbers = reinterpret_cast<const number*>(x.values);
  for (int64_t i = 0; i < a.result_size(); ++i) {
    number sum{};
    for (int k = 0; alpha != number() && k < x.entries; ++k) {
      const int64_t j = x.indices[k] - static_cast<int>(x.base);
      const number element = values[a.is_plain() ? i + j * a.ld : j + i * a.ld];
      sum += times(a.op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(element) : element, numbers[k]);
    }
    finish_element(reinterpret_cast<number*>(y)[i], alpha, sum, beta);
  }
}

template <class T>
cusparseStatus_t submit_gemvi(const call& c, const T* alpha, const dense_operand<T>& a, const sparse_operand<T>& x,
                              const T* beta, T* y) {
  checks valid(c);
  valid.sizes(a.rows, a.columns, x.entries).is_op(a.op).pointers(alpha, beta).require(a.ld >= std::max(1, a.rows));
  valid.require(x.entries <= a.vector_size() && (x.entries == 0 || (x.values && x.indices)));
  valid.require(a.result_size() == 0 || y).require(a.rows == 0 || a.columns == 0 || a.values);
  if (!valid.hold() || a.result_size() == 0) return valid.status();
  const factor factor_a(c, data_type_of<T>, alpha), factor_b(c, data_type_of<T>, beta);
  return submit(c, int64_t{a.result_size()} * (x.entries + 1), false, [=](memory_accesses& memory) {
    const auto by_a = number_of<number_for<T>>(factor_a.read(memory));
    const auto by_b = number_of<number_for<T>>(factor_b.read(memory));
    const libraries::memory_rows matrix{a.values, static_cast<size_t>(a.rows) * sizeof(T),
                                        static_cast<size_t>(a.ld) * sizeof(T), static_cast<size_t>(a.columns)};
    const bool is_empty = a.rows == 0 || a.columns == 0 || x.entries == 0;
    if ((!is_empty && !memory.reads(matrix, "A")) || !reads(memory, x.values, x.entries) ||
        !reads(memory, x.indices, x.entries) || !writes(memory, y, a.result_size())) {
      return;
    }
    multiply(a, by_a, x, by_b, y);
  });
}

cusparseStatus_t find_size(const call& c, cusparseOperation_t op, int m, int n, int entries, int* size) {
  checks valid(c);
  valid.sizes(m, n, entries).is_op(op).pointers(size);
  if (valid.hold()) *size = nominal_buffer;
  return valid.status();
}

}  // namespace

}  // namespace cohort::cusparse

using namespace cohort::cusparse;

#define COHORT_GEMVI(X, T)                                                                                            \
  cusparseStatus_t cusparse##X##gemvi_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, int m, int n,       \
                                                 int nnz, int* size) {                                                \
    return find_size({handle, "cusparse" #X "gemvi_bufferSize"}, op, m, n, nnz, size);                                \
  }                                                                                                                   \
  cusparseStatus_t cusparse##X##gemvi(cusparseHandle_t handle, cusparseOperation_t op, int m, int n, const T* alpha,  \
                                      const T* a, int lda, int nnz, const T* x, const int* indices, const T* beta,    \
                                      T* y, cusparseIndexBase_t base, void*) {                                        \
    return submit_gemvi<T>({handle, "cusparse" #X "gemvi"}, alpha, {op, m, n, a, lda}, {nnz, x, indices, base}, beta, \
                           y);                                                                                        \
  }

extern "C" {

COHORT_GEMVI(S, float)
COHORT_GEMVI(D, double)
COHORT_GEMVI(C, cuComplex)
COHORT_GEMVI(Z, cuDoubleComplex)

}  // extern "C"
