// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// QR factors, and products with Q.
#pragma once

#include <algorithm>

#include "libraries/cusolver/problem.hpp"

namespace cohort::cusolver {

// Functions of LAPACK that multiply by reflectors change them for a while. Other streams may read them at this time, so
// that they work on a copy.
template <class T>
T* copied(const T* a, int64_t rows, int64_t columns, int64_t lda, T* copy) {
  for (int64_t column = 0; column < columns; ++column) std::copy_n(a + column * lda, rows, copy + column * rows);
  return copy;
}

// QR factorization, A = Q * R, by LAPACK's geqrf.
template <class T>
struct geqrf {
  using element = T;

  int64_t m, n;
  T* a;
  int64_t lda;
  T* tau;

  void check(argument_checks& valid) const { valid.sizes(m, n).columns(lda, m); }
  double cost() const { return cost_of(m, n, std::min(m, n)); }
  bool report(memory_accesses& memory) const {
    memory.writes(vector_at(tau, std::min(m, n), 1));
    return memory.writes(matrix_at(a, m, n, lda));
  }
  void call_lapack(const lapack_work<T>& w) const {
    lapack<T>().geqrf(arg(m), arg(n), a, arg(lda), tau, w.work, &w.lwork, w.info);
  }
};

// Makes the first n columns of Q from its reflectors.
template <class T>
struct orgqr {
  using element = T;

  int64_t m, n, k;
  T* a;
  int64_t lda;
  const T* tau;

  void check(argument_checks& valid) const { valid.sizes(m, n, k).require(n <= m && k <= n).columns(lda, m); }
  double cost() const { return cost_of(m, n, k); }
  bool report(memory_accesses& memory) const {
    memory.reads(vector_at(tau, k, 1));
    return memory.writes(matrix_at(a, m, n, lda));
  }
  void call_lapack(const lapack_work<T>& w) const {
    lapack<T>().orgqr(arg(m), arg(n), arg(k), a, arg(lda), tau, w.work, &w.lwork, w.info);
  }
};

// Multiplies by Q of a QR factorization: C = op(Q) * C or C * op(Q).
template <class T>
struct ormqr {
  using element = T;

  cublasSideMode_t side;
  cublasOperation_t trans;
  int64_t m, n, k;
  const T* a;
  int64_t lda;
  const T* tau;
  T* c;
  int64_t ldc;

  int64_t order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  void check(argument_checks& valid) const {
    check_adjoint<T>(valid, trans);
    valid.is_side(side).sizes(m, n, k).require(k <= order()).columns(lda, order()).columns(ldc, m);
  }
  double cost() const { return cost_of(m, n, k); }
  bool report(memory_accesses& memory) const {
    memory.reads(vector_at(tau, k, 1));
    memory.reads(matrix_at(a, order(), k, lda));
    return memory.writes(matrix_at(c, m, n, ldc));
  }
  scratch_size extra() const { return {order() * k}; }
  void call_with(T* reflectors, const lapack_work<T>& w) const {
    lapack<T>().ormqr(arg(side), adjoint_letter<T>(trans), arg(m), arg(n), arg(k), reflectors,
                      arg(std::max<int64_t>(1, order())), tau, c, arg(ldc), w.work, &w.lwork, w.info, 1, 1);
  }
  void call_lapack(const lapack_work<T>& w) const { call_with(nullptr, w); }
  void solve(const scratch<T>& parts, int* info) const {
    call_with(copied(a, order(), k, lda, parts.numbers()), parts.lapack(info));
  }
};

// The triangular factor of a block of reflectors, which are columns of V.
template <class T>
struct larft {
  using element = T;

  cusolverDirectMode_t direct;
  cusolverStorevMode_t storev;
  int64_t n, k;
  const T* v;
  int64_t ldv;
  const T* tau;
  T* t;
  int64_t ldt;

  bool is_forward() const { return direct == CUBLAS_DIRECT_FORWARD; }
  void check(argument_checks& valid) const {
    valid.require(is_forward() || direct == CUBLAS_DIRECT_BACKWARD);
    valid.require(storev == CUBLAS_STOREV_COLUMNWISE || storev == CUBLAS_STOREV_ROWWISE);
    valid.sizes(n, k).require(n >= k).columns(ldv, n).columns(ldt, k);
  }
  const char* refused() const {
    return storev == CUBLAS_STOREV_ROWWISE ? "reflectors are columns, CUBLAS_STOREV_COLUMNWISE" : nullptr;
  }
  double cost() const { return cost_of(n, k, k); }
  bool report(memory_accesses& memory) const {
    memory.reads(vector_at(tau, k, 1));
    memory.reads(matrix_at(v, n, k, ldv));
    writes_triangle(memory, t, is_forward() ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, k, ldt, "T");
    return memory.error() == cudaSuccess;
  }
  void solve(const scratch<T>&, int*) const {
    lapack<T>().larft(is_forward() ? "F" : "B", "C", arg(n), arg(k), v, arg(ldv), tau, t, arg(ldt), 1, 1);
  }
};

}  // namespace cohort::cusolver
