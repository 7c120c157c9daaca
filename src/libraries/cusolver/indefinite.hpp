// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symmetric matrices that are not definite: factors by the method of Bunch and Kaufman, inverses, solutions. Without
// pivots no rows are exchanged, and all blocks of D have one element.
#pragma once

#include <algorithm>
#include <numeric>

#include "libraries/cusolver/problem.hpp"

namespace cohort::cusolver {

// A = L * D * L^T, or U * D * U^T from the last column on. Returns the first column, from 1, with a zero in D, or 0.
template <class T>
int factor_diagonal(cublasFillMode_t uplo, int64_t n, T* a, int64_t lda) {
  const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
  auto* const at = numbers(a);
  int zero_at = 0;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t k = is_lower ? step : n - 1 - step;
    const auto diagonal = at[k + k * lda];
    if (libraries::is_zero(a[k + k * lda])) {
      if (zero_at == 0) zero_at = static_cast<int>(k) + 1;
      continue;
    }
    const int64_t first = is_lower ? k + 1 : 0, last = is_lower ? n : k;
    for (int64_t column = first; column < last; ++column) {
      const auto by = at[column + k * lda] / diagonal;
      for (int64_t row = is_lower ? column : 0; row < (is_lower ? n : column + 1); ++row) {
        at[row + column * lda] -= at[row + k * lda] * by;
      }
    }
    for (int64_t row = first; row < last; ++row) at[row + k * lda] /= diagonal;
  }
  return zero_at;
}

// The pivots of a factorization as LAPACK reads them.
template <class Index>
const int* read_pivots(const Index* pivots, int64_t n, int* space) {
  if (pivots) {
    std::copy_n(pivots, n, space);
  } else {
    std::iota(space, space + n, 1);
  }
  return space;
}

template <class T>
struct sytrf {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  int* pivots;

  void check(argument_checks& valid) const { valid.is_triangle(uplo).sizes(n).columns(lda, n); }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n, uplo);
  }
  double cost() const { return cost_of(n, n, n) / 3; }
  bool report(memory_accesses& memory) const {
    if (pivots) memory.writes(vector_at(pivots, n, 1));
    writes_triangle(memory, a, uplo, n, lda, "A");
    return memory.error() == cudaSuccess;
  }
  void call_lapack(const lapack_work<T>& w) const {
    lapack<T>().sytrf(arg(uplo), arg(n), a, arg(lda), pivots, w.work, &w.lwork, w.info, 1);
  }
  void solve(const scratch<T>& parts, int* info) const {
    if (pivots) {
      call_lapack(parts.lapack(info));
    } else {
      *info = factor_diagonal(uplo, n, a, lda);
    }
  }
};

template <class T>
struct sytri {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  const int* pivots;

  void check(argument_checks& valid) const { valid.is_triangle(uplo).sizes(n).columns(lda, n); }
  double cost() const { return cost_of(n, n, n); }
  bool report(memory_accesses& memory) const {
    if (pivots) memory.reads(vector_at(pivots, n, 1));
    writes_triangle(memory, a, uplo, n, lda, "A");
    return memory.error() == cudaSuccess;
  }
  scratch_size extra() const { return {2 * n, 0, n}; }
  void solve(const scratch<T>& parts, int* info) const {
    lapack<T>().sytri(arg(uplo), arg(n), a, arg(lda), read_pivots(pivots, n, parts.ints()), parts.numbers(), info, 1);
  }
};

template <class T>
struct sytrs {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n, nrhs;
  const T* a;
  int64_t lda;
  const int64_t* pivots;
  T* b;
  int64_t ldb;

  void check(argument_checks& valid) const { valid.is_triangle(uplo).sizes(n, nrhs).columns(lda, n).columns(ldb, n); }
  double cost() const { return cost_of(n, n, nrhs); }
  bool report(memory_accesses& memory) const {
    if (pivots) memory.reads(vector_at(pivots, n, 1));
    reads_triangle(memory, a, uplo, n, lda);
    return memory.writes(matrix_at(b, n, nrhs, ldb));
  }
  scratch_size extra() const { return {0, 0, n}; }
  void solve(const scratch<T>& parts, int* info) const {
    lapack<T>().sytrs(arg(uplo), arg(n), arg(nrhs), a, arg(lda), read_pivots(pivots, n, parts.ints()), b, arg(ldb),
                      info, 1);
  }
};

}  // namespace cohort::cusolver
