// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positive definite matrices: factors, solutions, inverses; triangular matrices.
#pragma once

#include "libraries/cusolver/problem.hpp"

namespace cohort::cusolver {

// A triangle that a function of LAPACK replaces.
template <class T>
struct triangle {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;

  void check(argument_checks& valid) const { valid.is_triangle(uplo).sizes(n).columns(lda, n); }
  double cost() const { return cost_of(n, n, n) / 3; }
  bool report(memory_accesses& memory) const {
    writes_triangle(memory, a, uplo, n, lda, "A");
    return memory.error() == cudaSuccess;
  }
};

// Cholesky factorization in place: A = L * L^H or U^H * U.
template <class T>
struct potrf : triangle<T> {
  void solve(const scratch<T>&, int* info) const {
    lapack<T>().potrf(arg(this->uplo), arg(this->n), this->a, arg(this->lda), info, 1);
  }
};

// Inverse of A from its Cholesky factor.
template <class T>
struct potri : triangle<T> {
  void solve(const scratch<T>&, int* info) const {
    lapack<T>().potri(arg(this->uplo), arg(this->n), this->a, arg(this->lda), info, 1);
  }
};

// Product of a triangle and its adjoint, in place of the triangle: L^H * L or U * U^H.
template <class T>
struct lauum : triangle<T> {
  void solve(const scratch<T>&, int* info) const {
    lapack<T>().lauum(arg(this->uplo), arg(this->n), this->a, arg(this->lda), info, 1);
  }
};

// The inverse of a triangular matrix.
template <class T>
struct trtri {
  using element = T;

  cublasFillMode_t uplo;
  cublasDiagType_t diag;
  int64_t n;
  T* a;
  int64_t lda;

  void check(argument_checks& valid) const { valid.is_triangle(uplo).is_diagonal(diag).sizes(n).columns(lda, n); }
  double cost() const { return cost_of(n, n, n) / 3; }
  bool report(memory_accesses& memory) const {
    writes_triangle(memory, a, uplo, n, lda, "A");
    return memory.error() == cudaSuccess;
  }
  void solve(const scratch<T>&, int* info) const {
    lapack<T>().trtri(arg(uplo), arg(diag), arg(n), a, arg(lda), info, 1, 1);
  }
};

// Solves A * X = B with the Cholesky factor of A.
template <class T>
struct potrs {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n, nrhs;
  const T* a;
  int64_t lda;
  T* b;
  int64_t ldb;

  void check(argument_checks& valid) const { valid.is_triangle(uplo).sizes(n, nrhs).columns(lda, n).columns(ldb, n); }
  double cost() const { return cost_of(n, n, nrhs); }
  bool report(memory_accesses& memory) const {
    reads_triangle(memory, a, uplo, n, lda);
    return memory.writes(matrix_at(b, n, nrhs, ldb));
  }
  void solve(const scratch<T>&, int* info) const {
    lapack<T>().potrs(arg(uplo), arg(n), arg(nrhs), a, arg(lda), b, arg(ldb), info, 1);
  }
};

template <class T>
struct potrf_batched {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n;
  T* const* a;
  int64_t lda, count;

  potrf<T> matrix(int64_t i) const { return {{uplo, n, a[i], lda}}; }
  void check(argument_checks& valid) const { valid.is_triangle(uplo).sizes(n, count).columns(lda, n); }
  int64_t infos() const { return count; }
  double cost() const { return cost_of(n, n, n) * static_cast<double>(count); }
  bool report(memory_accesses& memory) const {
    if (n == 0) return true;
    if (!pointer_array(a).read(memory, count, "Aarray")) return false;
    for (int64_t i = 0; i < count; ++i) {
      if (!matrix(i).report(memory)) return false;
    }
    return true;
  }
  void solve(const scratch<T>& parts, int* infos) const {
    for (int64_t i = 0; i < count; ++i) {
      infos[i] = 0;
      if (n > 0) matrix(i).solve(parts, infos + i);
    }
  }
};

// Solves a batch with the Cholesky factors. Each matrix has one right-hand side, as in cuSOLVER.
template <class T>
struct potrs_batched {
  using element = T;

  cublasFillMode_t uplo;
  int64_t n, nrhs;
  T* const* a;
  int64_t lda;
  T* const* b;
  int64_t ldb, count;

  potrs<T> system(int64_t i) const { return {uplo, n, nrhs, a[i], lda, b[i], ldb}; }
  void check(argument_checks& valid) const {
    valid.is_triangle(uplo).sizes(n, count).columns(lda, n).columns(ldb, n).require(nrhs == 1);
  }
  double cost() const { return cost_of(n, n, count); }
  bool report(memory_accesses& memory) const {
    if (n == 0) return true;
    if (!pointer_array(a).read(memory, count, "Aarray") || !pointer_array(b).read(memory, count, "Barray"))
      return false;
    for (int64_t i = 0; i < count; ++i) {
      if (!system(i).report(memory)) return false;
    }
    return true;
  }
  void solve(const scratch<T>& parts, int* info) const {
    *info = 0;
    for (int64_t i = 0; n > 0 && i < count; ++i) system(i).solve(parts, info);
  }
};

}  // namespace cohort::cusolver
