// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of factorizations, solutions and inverses of small matrices, and packed triangles.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "libraries/cublas/batches.hpp"

namespace cohort::cublas {

template <class T>
void swap_rows(T* a, int64_t ld, int64_t columns, int64_t first, int64_t second) {
  if (first == second) return;
  for (int64_t column = 0; column < columns; ++column) std::swap(a[first + column * ld], a[second + column * ld]);
}

// The row of the largest element of a column, from the diagonal on: by |re| + |im|, as in LAPACK.
template <class T>
int64_t find_pivot(const T* a, int64_t ld, int64_t n, int64_t column) {
  const auto size_of = [](const arithmetic_of<T>& value) {
    if constexpr (is_complex<T>) {
      return std::abs(value.real()) + std::abs(value.imag());
    } else {
      return std::abs(value);
    }
  };
  int64_t best = column;
  for (int64_t row = column + 1; row < n; ++row) {
    if (size_of(number(a[row + column * ld])) > size_of(number(a[best + column * ld]))) best = row;
  }
  return best;
}

// A = P * L * U in place. `pivots`: rows from 1, or null for no exchange of rows. Returns the first column, from 1,
// with a zero on the diagonal of U, or 0.
template <class T>
int factor_lu(T* a, int64_t ld, int64_t n, int* pivots) {
  int zero_at = 0;
  auto* const at = numbers(a);
  for (int64_t column = 0; column < n; ++column) {
    if (pivots) {
      const int64_t pivot = find_pivot(a, ld, n, column);
      pivots[column] = static_cast<int>(pivot) + 1;
      swap_rows(a, ld, n, column, pivot);
    }
    const arithmetic_of<T> diagonal = at[column + column * ld];
    if (diagonal == arithmetic_of<T>{}) {
      if (zero_at == 0) zero_at = static_cast<int>(column) + 1;
      continue;
    }
    for (int64_t row = column + 1; row < n; ++row) at[row + column * ld] /= diagonal;
    for (int64_t next = column + 1; next < n; ++next) {
      const arithmetic_of<T> by = at[column + next * ld];
      for (int64_t row = column + 1; row < n; ++row) at[row + next * ld] -= at[row + column * ld] * by;
    }
  }
  return zero_at;
}

template <class T>
void solve_triangle(cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, int64_t nrhs,
                    const T* lu, int64_t lda, T* b, int64_t ldb) {
  T one{};
  *numbers(&one) = 1;
  const triangular_shape s{CUBLAS_SIDE_LEFT, uplo, trans, diag, n, nrhs, lda, ldb};
  s.call_openblas(openblas<T>().trsm, one, lu, b);
}

// Solves op(A) * X = B by the factors of A.
template <class T>
void solve_lu(cublasOperation_t trans, const T* lu, int64_t lda, const int* pivots, int64_t n, T* b, int64_t ldb,
              int64_t nrhs) {
  if (trans == CUBLAS_OP_N) {
    for (int64_t i = 0; pivots && i < n; ++i) swap_rows(b, ldb, nrhs, i, pivots[i] - 1);
    solve_triangle(CUBLAS_FILL_MODE_LOWER, trans, CUBLAS_DIAG_UNIT, n, nrhs, lu, lda, b, ldb);
    solve_triangle(CUBLAS_FILL_MODE_UPPER, trans, CUBLAS_DIAG_NON_UNIT, n, nrhs, lu, lda, b, ldb);
  } else {
    solve_triangle(CUBLAS_FILL_MODE_UPPER, trans, CUBLAS_DIAG_NON_UNIT, n, nrhs, lu, lda, b, ldb);
    solve_triangle(CUBLAS_FILL_MODE_LOWER, trans, CUBLAS_DIAG_UNIT, n, nrhs, lu, lda, b, ldb);
    for (int64_t i = n; pivots && i-- > 0;) swap_rows(b, ldb, nrhs, i, pivots[i] - 1);
  }
}

// Writes the inverse by the factors. Returns the first column, from 1, with a zero on the diagonal of U, or 0.
template <class T>
int invert_lu(const T* lu, int64_t lda, const int* pivots, int64_t n, T* inverse, int64_t ldi) {
  for (int64_t i = 0; i < n; ++i) {
    if (is_zero(lu[i + i * lda])) return static_cast<int>(i) + 1;
  }
  for (int64_t column = 0; column < n; ++column) {
    std::fill_n(inverse + column * ldi, n, T{});
    *numbers(inverse + column + column * ldi) = 1;
  }
  solve_lu(CUBLAS_OP_N, lu, lda, pivots, n, inverse, ldi, n);
  return 0;
}

inline memory_rows ints_at(const int* first, int64_t count) { return vector_at(first, count, 1); }

template <class T>
cublasStatus_t getrf_batched(const call& c, int64_t n, T* const* a, int64_t lda, int* pivots, int* info,
                             int64_t count) {
  checks valid(c);
  valid.sizes(n, count).columns(lda, n).pointers(info);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || count == 0) return valid.status();
  return submit(c, cost_of(n, n, n) * static_cast<double>(count), false, [=](memory_accesses& memory) {
    const pointer_array matrices(a);
    if (n > 0 && !matrices.read(memory, count, "Aarray")) return;
    if (pivots) memory.writes(ints_at(pivots, n * count), "PivotArray");
    if (!memory.writes(ints_at(info, count), "info")) return;
    for (int64_t i = 0; i < count; ++i) {
      if (n > 0 && !memory.writes(matrix_at(matrices.at(i), n, n, lda), "Aarray")) return;
      info[i] = n > 0 ? factor_lu(matrices.at(i), lda, n, pivots ? pivots + i * n : nullptr) : 0;
    }
  });
}

// Stores the index of a wrong argument in memory of the host.
inline cublasStatus_t report_argument(const checks& valid, int* info) {
  const cublasStatus_t status = valid.status();
  if (info && status != CUBLAS_STATUS_NOT_INITIALIZED) *info = status == CUBLAS_STATUS_INVALID_VALUE ? -1 : 0;
  return status;
}

template <class T>
cublasStatus_t getrs_batched(const call& c, cublasOperation_t trans, int64_t n, int64_t nrhs, const T* const* a,
                             int64_t lda, const int* pivots, T* const* b, int64_t ldb, int* info, int64_t count) {
  checks valid(c);
  valid.is_op(trans).sizes(n, nrhs, count).columns(lda, n).columns(ldb, n).pointers(info);
  if (report_argument(valid, info) != CUBLAS_STATUS_SUCCESS || n == 0 || nrhs == 0 || count == 0) {
    return valid.status();
  }
  return submit(c, cost_of(n, n, nrhs) * static_cast<double>(count), false, [=](memory_accesses& memory) {
    const pointer_array factors(a);
    const pointer_array sides(b);
    if (pivots) memory.reads(ints_at(pivots, n * count), "PivotArray");
    if (!factors.read(memory, count, "Aarray") || !sides.read(memory, count, "Barray")) return;
    for (int64_t i = 0; i < count; ++i) {
      memory.reads(matrix_at(factors.at(i), n, n, lda), "Aarray");
      if (!memory.writes(matrix_at(sides.at(i), n, nrhs, ldb), "Barray")) return;
      solve_lu(trans, factors.at(i), lda, pivots ? pivots + i * n : nullptr, n, sides.at(i), ldb, nrhs);
    }
  });
}

template <class T>
cublasStatus_t getri_batched(const call& c, int64_t n, const T* const* a, int64_t lda, const int* pivots,
                             T* const* inverses, int64_t ldi, int* info, int64_t count) {
  checks valid(c);
  valid.sizes(n, count).columns(lda, n).columns(ldi, n).pointers(info);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0 || count == 0) return valid.status();
  return submit(c, cost_of(n, n, n) * static_cast<double>(count), false, [=](memory_accesses& memory) {
    const pointer_array factors(a);
    const pointer_array results(inverses);
    if (pivots) memory.reads(ints_at(pivots, n * count), "PivotArray");
    memory.writes(ints_at(info, count), "info");
    if (!factors.read(memory, count, "Aarray") || !results.read(memory, count, "Carray")) return;
    for (int64_t i = 0; i < count; ++i) {
      memory.reads(matrix_at(factors.at(i), n, n, lda), "Aarray");
      if (!memory.writes(matrix_at(results.at(i), n, n, ldi), "Carray")) return;
      info[i] = invert_lu(factors.at(i), lda, pivots ? pivots + i * n : nullptr, n, results.at(i), ldi);
    }
  });
}

// cuBLAS limits this routine to matrices of a warp.
inline constexpr int64_t largest_inverse = 32;

template <class T>
cublasStatus_t matinv_batched(const call& c, int64_t n, const T* const* a, int64_t lda, T* const* inverses, int64_t ldi,
                              int* info, int64_t count) {
  checks valid(c);
  valid.sizes(n, count).columns(lda, n).columns(ldi, n).pointers(info).require(n <= largest_inverse);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0 || count == 0) return valid.status();
  return submit(c, cost_of(n, n, n) * static_cast<double>(count), false, [=](memory_accesses& memory) {
    const pointer_array sources(a);
    const pointer_array results(inverses);
    memory.writes(ints_at(info, count), "info");
    if (!sources.read(memory, count, "Aarray") || !results.read(memory, count, "Carray")) return;
    std::vector<T> lu(static_cast<size_t>(n * n));
    std::vector<int> pivots(static_cast<size_t>(n));
    for (int64_t i = 0; i < count; ++i) {
      memory.reads(matrix_at(sources.at(i), n, n, lda), "Aarray");
      if (!memory.writes(matrix_at(results.at(i), n, n, ldi), "Carray")) return;
      copy_matrix(sources.at(i), lda, lu.data(), n, n, n);
      info[i] = factor_lu(lu.data(), n, n, pivots.data());
      if (info[i] == 0) invert_lu(lu.data(), n, pivots.data(), n, results.at(i), ldi);
    }
  });
}

// Calls a routine of LAPACK, first for the size of its work space, then with it. Returns its info.
template <class T, class Function>
int with_work_space(Function&& function) {
  T size{};
  blas_int info = 0;
  function(&size, blas_argument(-1), &info);
  if (info != 0) return info;
  std::vector<T> space(std::max<size_t>(1, static_cast<size_t>(std::real(number(size)))));
  function(space.data(), blas_argument(static_cast<int64_t>(space.size())), &info);
  return info;
}

template <class T>
cublasStatus_t geqrf_batched(const call& c, int64_t m, int64_t n, T* const* a, int64_t lda, T* const* tau, int* info,
                             int64_t count) {
  checks valid(c);
  valid.sizes(m, n, count).columns(lda, m).pointers(info);
  if (report_argument(valid, info) != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0 || count == 0) return valid.status();
  return submit(c, cost_of(m, n, n) * static_cast<double>(count), false, [=](memory_accesses& memory) {
    const pointer_array matrices(a);
    const pointer_array factors(tau);
    if (!matrices.read(memory, count, "Aarray") || !factors.read(memory, count, "TauArray")) return;
    for (int64_t i = 0; i < count; ++i) {
      memory.writes(matrix_at(matrices.at(i), m, n, lda), "Aarray");
      if (!memory.writes(vector_at(factors.at(i), std::min(m, n), 1), "TauArray")) return;
      with_work_space<T>([&](T* work, const blas_int* length, blas_int* result) {
        openblas<T>().geqrf(blas_argument(m), blas_argument(n), matrices.at(i), blas_argument(lda), factors.at(i), work,
                            length, result);
      });
    }
  });
}

// The least squares solution of over-determined systems, the only ones that cuBLAS solves.
template <class T>
cublasStatus_t gels_batched(const call& c, cublasOperation_t trans, int64_t m, int64_t n, int64_t nrhs, T* const* a,
                            int64_t lda, T* const* b, int64_t ldb, int* info, int* infos, int64_t count) {
  checks valid(c);
  valid.sizes(m, n, nrhs, count).columns(lda, m).columns(ldb, std::max(m, n)).pointers(info);
  if (report_argument(valid, info) != CUBLAS_STATUS_SUCCESS) return valid.status();
  if (trans != CUBLAS_OP_N || m < n) {
    *info = trans != CUBLAS_OP_N ? -1 : -2;
    return refuse(c.name, "it solves over-determined systems of matrices that are not transposed");
  }
  if (m == 0 || n == 0 || nrhs == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  return submit(c, cost_of(m, n, n) * static_cast<double>(count), false, [=](memory_accesses& memory) {
    const pointer_array matrices(a);
    const pointer_array sides(b);
    if (infos) memory.writes(ints_at(infos, count), "devInfoArray");
    if (!matrices.read(memory, count, "Aarray") || !sides.read(memory, count, "Barray")) return;
    for (int64_t i = 0; i < count; ++i) {
      memory.writes(matrix_at(matrices.at(i), m, n, lda), "Aarray");
      if (!memory.writes(matrix_at(sides.at(i), m, nrhs, ldb), "Barray")) return;
      const int result = with_work_space<T>([&](T* work, const blas_int* length, blas_int* done) {
        openblas<T>().gels("N", blas_argument(m), blas_argument(n), blas_argument(nrhs), matrices.at(i),
                           blas_argument(lda), sides.at(i), blas_argument(ldb), work, length, done, 1);
      });
      if (infos) infos[i] = result;
    }
  });
}

// Copies a triangle between a packed array and a matrix, column by column.
template <class T, class Packed, class Matrix, class Copy>
cublasStatus_t copy_triangle(const call& c, cublasFillMode_t uplo, int64_t n, Packed* ap, Matrix* a, int64_t lda,
                             bool writes_packed, Copy&& copy_column) {
  checks valid(c);
  valid.is_triangle(uplo).sizes(n).columns(lda, n);
  if (valid.status() != CUBLAS_STATUS_SUCCESS || n == 0) return valid.status();
  return submit(c, cost_of(n, n, 1), false, [=](memory_accesses& memory) {
    const memory_rows packed = vector_at(ap, packed_size(n), 1);
    writes_packed ? memory.writes(packed, "AP") : memory.reads(packed, "AP");
    writes_packed ? reads_triangle(memory, a, uplo, n, lda) : writes_triangle(memory, a, uplo, n, lda, "A");
    if (memory.error() != cudaSuccess) return;
    auto* at = ap;
    for (int64_t column = 0; column < n; ++column) {
      const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
      const int64_t length = is_lower ? n - column : column + 1;
      copy_column(at, a + column * lda + (is_lower ? column : 0), length);
      at += length;
    }
  });
}
template <class T>
cublasStatus_t tpttr(const call& c, cublasFillMode_t uplo, int64_t n, const T* ap, T* a, int64_t lda) {
  return copy_triangle<T>(c, uplo, n, ap, a, lda, false,
                          [](const T* packed, T* column, int64_t length) { std::copy_n(packed, length, column); });
}
template <class T>
cublasStatus_t trttp(const call& c, cublasFillMode_t uplo, int64_t n, const T* a, int64_t lda, T* ap) {
  return copy_triangle<T>(c, uplo, n, ap, a, lda, true,
                          [](T* packed, const T* column, int64_t length) { std::copy_n(column, length, packed); });
}

}  // namespace cohort::cublas
