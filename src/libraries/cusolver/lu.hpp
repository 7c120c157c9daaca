// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// General matrices: LU factors, exchanges of rows, solutions. Without pivots no rows are exchanged.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "libraries/cusolver/problem.hpp"

namespace cohort::cusolver {

template <class T>
T number_of(real_of<T> real) {
  T value{};
  *numbers(&value) = real;
  return value;
}

// C = C + alpha * A * B
template <class T>
void add_product(int64_t m, int64_t n, int64_t k, real_of<T> alpha, const T* a, int64_t lda, const T* b, int64_t ldb,
                 T* c, int64_t ldc) {
  const T by = number_of<T>(alpha), one = number_of<T>(1);
  lapack<T>().gemm("N", "N", arg(m), arg(n), arg(k), &by, a, arg(lda), b, arg(ldb), &one, c, arg(ldc), 1, 1);
}

// Solves op(A) * X = B for a triangular matrix A in place of B.
template <class T>
void solve_triangle(const char* uplo, const char* trans, const char* diag, int64_t n, int64_t nrhs, const T* a,
                    int64_t lda, T* b, int64_t ldb) {
  const T one = number_of<T>(1);
  lapack<T>().trsm("L", uplo, trans, diag, arg(n), arg(nrhs), &one, a, arg(lda), b, arg(ldb), 1, 1, 1, 1);
}

// A = L * U, column by column. Returns the first column, from 1, with a zero on the diagonal of U, or 0.
template <class T>
int factor_columns(int64_t m, int64_t n, T* a, int64_t lda) {
  int zero_at = 0;
  auto* const at = numbers(a);
  for (int64_t k = 0; k < std::min(m, n); ++k) {
    if (libraries::is_zero(a[k + k * lda])) {
      if (zero_at == 0) zero_at = static_cast<int>(k) + 1;
      continue;
    }
    for (int64_t row = k + 1; row < m; ++row) at[row + k * lda] /= at[k + k * lda];
    for (int64_t column = k + 1; column < n; ++column) {
      const auto by = at[k + column * lda];
      for (int64_t row = k + 1; row < m; ++row) at[row + column * lda] -= at[row + k * lda] * by;
    }
  }
  return zero_at;
}

// A = L * U by halves of the columns: most of the work is a product of matrices.
template <class T>
int factor_without_pivots(int64_t m, int64_t n, T* a, int64_t lda) {
  constexpr int64_t narrow = 16;
  if (std::min(m, n) <= narrow) return factor_columns(m, n, a, lda);
  const int64_t left = std::min(m, n) / 2, right = n - left;
  T* const upper = a + left * lda;
  const int zero_at = factor_without_pivots(m, left, a, lda);
  solve_triangle("L", "N", "U", left, right, a, lda, upper, lda);
  add_product(m - left, right, left, real_of<T>(-1), a + left, lda, upper, lda, upper + left, lda);
  const int later = factor_without_pivots(m - left, right, upper + left, lda);
  if (zero_at != 0 || later == 0) return zero_at;
  return later + static_cast<int>(left);
}

// LU factorization, P * A = L * U. `Index`: the type of pivots.
template <class T, class Index>
struct getrf {
  using element = T;

  int64_t m, n;
  T* a;
  int64_t lda;
  Index* pivots;

  static constexpr bool is_wide = !std::is_same_v<Index, int>;
  int64_t order() const { return std::min(m, n); }
  void check(argument_checks& valid) const { valid.sizes(m, n).columns(lda, m); }
  double cost() const { return cost_of(m, n, order()); }
  bool report(memory_accesses& memory) const {
    if (pivots) memory.writes(vector_at(pivots, order(), 1));
    return memory.writes(matrix_at(a, m, n, lda));
  }
  scratch_size extra() const { return {0, 0, is_wide ? order() : 0}; }
  void solve(const scratch<T>& parts, int* info) const {
    if (!pivots) {
      *info = factor_without_pivots(m, n, a, lda);
    } else if constexpr (is_wide) {
      lapack<T>().getrf(arg(m), arg(n), a, arg(lda), parts.ints(), info);
      std::copy_n(parts.ints(), order(), pivots);
    } else {
      lapack<T>().getrf(arg(m), arg(n), a, arg(lda), pivots, info);
    }
  }
};

// Solves op(A) * X = B with the LU factors of A.
template <class T, class Index>
struct getrs {
  using element = T;

  cublasOperation_t trans;
  int64_t n, nrhs;
  const T* a;
  int64_t lda;
  const Index* pivots;
  T* b;
  int64_t ldb;

  void check(argument_checks& valid) const { valid.is_op(trans).sizes(n, nrhs).columns(lda, n).columns(ldb, n); }
  double cost() const { return cost_of(n, n, nrhs); }
  bool report(memory_accesses& memory) const {
    if (pivots) memory.reads(vector_at(pivots, n, 1));
    memory.reads(matrix_at(a, n, n, lda));
    return memory.writes(matrix_at(b, n, nrhs, ldb));
  }
  void solve(const scratch<T>&, int* info) const {
    *info = 0;
    if (n == 0 || nrhs == 0) return;
    if (!pivots) {
      const bool plain = trans == CUBLAS_OP_N;
      const auto letter = arg(trans);
      solve_triangle(plain ? "L" : "U", letter, plain ? "U" : "N", n, nrhs, a, lda, b, ldb);
      solve_triangle(plain ? "U" : "L", letter, plain ? "N" : "U", n, nrhs, a, lda, b, ldb);
      return;
    }
    // The routine with 64-bit pivots gets no work space for this call, so the narrow pivots are allocated here.
    const std::vector<int> narrow(pivots, pivots + n);
    lapack<T>().getrs(arg(trans), arg(n), arg(nrhs), a, arg(lda), narrow.data(), b, arg(ldb), info, 1);
  }
};

// Exchanges rows k1 to k2 with those that pivots name, from the last one on where the increment is negative.
template <class T>
struct laswp {
  using element = T;

  int64_t n;
  T* a;
  int64_t lda, k1, k2;
  const int* pivots;
  int64_t increment;

  int64_t distance() const { return increment < 0 ? -increment : increment; }
  int64_t place_of(int64_t row) const { return k1 - 1 + (row - k1) * distance(); }
  void check(argument_checks& valid) const {
    valid.sizes(n).columns(lda, 1).require(k1 >= 1 && k2 >= k1 && k2 <= lda).increments(increment).pointers(pivots);
  }
  double cost() const { return cost_of(n, k2 - k1 + 1, 1); }
  bool report(memory_accesses& memory) const {
    if (!memory.reads(vector_at(pivots + k1 - 1, k2 - k1 + 1, increment))) return false;
    int64_t first = k1, last = k2;
    for (int64_t row = k1; row <= k2; ++row) {
      first = std::min<int64_t>(first, pivots[place_of(row)]);
      last = std::max<int64_t>(last, pivots[place_of(row)]);
    }
    return memory.writes(matrix_at(a + first - 1, last - first + 1, n, lda));
  }
  void solve(const scratch<T>&, int*) const {
    lapack<T>().laswp(arg(n), a, arg(lda), arg(k1), arg(k2), pivots, arg(increment));
  }
};

}  // namespace cohort::cusolver
