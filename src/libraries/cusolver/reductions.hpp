// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions to bidiagonal and tridiagonal matrices, and the matrices that reduce them.
#pragma once

#include <algorithm>

#include "libraries/cusolver/qr.hpp"

namespace cohort::cusolver {

// Reduction to a bidiagonal matrix, Q^H * A * P = B. cuSOLVER refuses matrices with more columns than rows.
template <class T>
struct gebrd {
  using element = T;

  int64_t m, n;
  T* a;
  int64_t lda;
  real_of<T>*d, *e;
  T *tauq, *taup;

  void check(argument_checks& valid) const { valid.sizes(m, n).require(m >= n).columns(lda, m); }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, m, n, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return cost_of(m, n, n); }
  bool report(memory_accesses& memory) const {
    memory.writes(vector_at(d, n, 1));
    memory.writes(vector_at(e, std::max<int64_t>(0, n - 1), 1));
    memory.writes(vector_at(tauq, n, 1));
    memory.writes(vector_at(taup, n, 1));
    return memory.writes(matrix_at(a, m, n, lda));
  }
  void call_lapack(const lapack_work<T>& w) const {
    lapack<T>().gebrd(arg(m), arg(n), a, arg(lda), d, e, tauq, taup, w.work, &w.lwork, w.info);
  }
};

// Makes Q (left side) or P^H (right side) of a reduction to a bidiagonal matrix.
template <class T>
struct orgbr {
  using element = T;

  cublasSideMode_t side;
  int64_t m, n, k;
  T* a;
  int64_t lda;
  const T* tau;

  bool makes_q() const { return side == CUBLAS_SIDE_LEFT; }
  void check(argument_checks& valid) const {
    valid.is_side(side).sizes(m, n, k).columns(lda, m);
    valid.require(makes_q() ? m >= n && n >= std::min(m, k) : n >= m && m >= std::min(n, k));
  }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, m, n, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return cost_of(m, n, k); }
  bool report(memory_accesses& memory) const {
    memory.reads(vector_at(tau, std::min(makes_q() ? m : n, k), 1));
    return memory.writes(matrix_at(a, m, n, lda));
  }
  void call_lapack(const lapack_work<T>& w) const {
    lapack<T>().orgbr(makes_q() ? "Q" : "P", arg(m), arg(n), arg(k), a, arg(lda), tau, w.work, &w.lwork, w.info, 1);
  }
};

// Reduction to a tridiagonal matrix, Q^H * A * Q = T.
template <class T>
struct sytrd {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  real_of<T>*d, *e;
  T* tau;

  void check(argument_checks& valid) const { valid.is_triangle(uplo).sizes(n).columns(lda, n); }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n, uplo);
  }
  double cost() const { return cost_of(n, n, n); }
  bool report(memory_accesses& memory) const {
    const int64_t off_diagonal = std::max<int64_t>(0, n - 1);
    memory.writes(vector_at(d, n, 1));
    memory.writes(vector_at(e, off_diagonal, 1));
    memory.writes(vector_at(tau, off_diagonal, 1));
    writes_triangle(memory, a, uplo, n, lda, "A");
    return memory.error() == cudaSuccess;
  }
  void call_lapack(const lapack_work<T>& w) const {
    lapack<T>().sytrd(arg(uplo), arg(n), a, arg(lda), d, e, tau, w.work, &w.lwork, w.info, 1);
  }
};

template <class T>
struct orgtr {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  const T* tau;

  void check(argument_checks& valid) const { valid.is_triangle(uplo).sizes(n).columns(lda, n); }
  double cost() const { return cost_of(n, n, n); }
  bool report(memory_accesses& memory) const {
    memory.reads(vector_at(tau, std::max<int64_t>(0, n - 1), 1));
    return memory.writes(matrix_at(a, n, n, lda));
  }
  void call_lapack(const lapack_work<T>& w) const {
    lapack<T>().orgtr(arg(uplo), arg(n), a, arg(lda), tau, w.work, &w.lwork, w.info, 1);
  }
};

// Multiplies by Q of a reduction to a tridiagonal matrix: C = op(Q) * C or C * op(Q).
template <class T>
struct ormtr {
  using element = T;

  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  int64_t m, n;
  const T* a;
  int64_t lda;
  const T* tau;
  T* c;
  int64_t ldc;

  int64_t order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  void check(argument_checks& valid) const {
    check_adjoint<T>(valid, trans);
    valid.is_side(side).is_triangle(uplo).sizes(m, n).columns(lda, order()).columns(ldc, m);
  }
  double cost() const { return cost_of(m, n, order()); }
  bool report(memory_accesses& memory) const {
    memory.reads(vector_at(tau, std::max<int64_t>(0, order() - 1), 1));
    reads_triangle(memory, a, uplo, order(), lda);
    return memory.writes(matrix_at(c, m, n, ldc));
  }
  scratch_size extra() const { return {order() * order()}; }
  void call_with(T* reflectors, const lapack_work<T>& w) const {
    lapack<T>().ormtr(arg(side), arg(uplo), adjoint_letter<T>(trans), arg(m), arg(n), reflectors,
                      arg(std::max<int64_t>(1, order())), tau, c, arg(ldc), w.work, &w.lwork, w.info, 1, 1, 1);
  }
  void call_lapack(const lapack_work<T>& w) const { call_with(nullptr, w); }
  void solve(const scratch<T>& parts, int* info) const {
    call_with(copied(a, order(), order(), lda, parts.numbers()), parts.lapack(info));
  }
};

}  // namespace cohort::cusolver
