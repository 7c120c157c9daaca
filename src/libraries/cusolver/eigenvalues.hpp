// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues and eigenvectors of symmetric and Hermitian matrices, of pairs of them, and of general matrices.
#pragma once

#include <algorithm>
#include <cmath>

#include "libraries/cusolver/cholesky.hpp"
#include "libraries/cusolver/jacobi.hpp"
#include "libraries/cusolver/lu.hpp"

namespace cohort::cusolver {

// Eigenvalues in ascending order. Eigenvectors replace A.
template <class T>
struct syevd {
  using element = T;

  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  real_of<T>* w;

  void check(argument_checks& valid) const {
    check_mode(valid, jobz);
    valid.is_triangle(uplo).sizes(n).columns(lda, n);
  }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n, wants_vectors(jobz) ? CUBLAS_FILL_MODE_FULL : uplo);
  }
  double cost() const { return 4 * cost_of(n, n, n); }
  bool report(memory_accesses& memory) const {
    memory.writes(vector_at(w, n, 1));
    if (wants_vectors(jobz)) return memory.writes(matrix_at(a, n, n, lda));
    writes_triangle(memory, a, uplo, n, lda, "A");
    return memory.error() == cudaSuccess;
  }
  void call_lapack(const lapack_work<T>& work) const {
    const char* const mode = letter_of_mode(jobz);
    if constexpr (is_complex<T>) {
      lapack<T>().syevd(mode, arg(uplo), arg(n), a, arg(lda), w, work.work, &work.lwork, work.rwork, &work.lrwork,
                        work.iwork, &work.liwork, work.info, 1, 1);
    } else {
      lapack<T>().syevd(mode, arg(uplo), arg(n), a, arg(lda), w, work.work, &work.lwork, work.iwork, &work.liwork,
                        work.info, 1, 1);
    }
  }
};

// The eigenvalues that a call requests. `Index`: the type of their number, which goes to host memory.
template <class R, class Index>
struct eigenvalue_range {
  cusolverEigRange_t range;
  R vl, vu;        // bounds of an interval, which contains only the upper one
  int64_t il, iu;  // bounds of indices, which count from 1
  Index* count;

  void check(argument_checks& valid, int64_t n) const {
    valid.pointers(count);
    if (range == CUSOLVER_EIG_RANGE_I) {
      valid.require(n == 0 || (il >= 1 && il <= iu && iu <= n));
    } else if (range == CUSOLVER_EIG_RANGE_V) {
      valid.require(vl < vu);
    } else {
      valid.require(range == CUSOLVER_EIG_RANGE_ALL);
    }
  }
  // Moves the wanted ones of n eigenvalues, and their vectors, to the front.
  template <class T>
  void select(int64_t n, R* w, T* vectors, int64_t lda) const {
    int64_t first = 0, last = n;
    if (range == CUSOLVER_EIG_RANGE_I && n > 0) {
      first = il - 1;
      last = iu;
    } else if (range == CUSOLVER_EIG_RANGE_V) {
      first = std::upper_bound(w, w + n, vl) - w;
      last = std::upper_bound(w, w + n, vu) - w;
    }
    *count = static_cast<Index>(last - first);
    if (first == 0) return;
    std::copy(w + first, w + last, w);
    for (int64_t column = first; vectors && column < last; ++column) {
      std::copy_n(vectors + column * lda, n, vectors + (column - first) * lda);
    }
  }
};

// A problem that returns a range of the eigenvalues: computes all, and keeps those of the range.
template <class Problem, class Index>
struct selected_eigenvalues {
  using element = typename Problem::element;

  Problem all;
  eigenvalue_range<real_of<element>, Index> wanted;

  void check(argument_checks& valid) const {
    all.check(valid);
    wanted.check(valid, all.n);
  }
  bool waits() const { return true; }
  template <class Use>
  void each_matrix(Use&& use) {
    all.each_matrix(use);
  }
  double cost() const { return all.cost(); }
  bool report(memory_accesses& memory) const { return all.report(memory); }
  void call_lapack(const lapack_work<element>& work) const { all.call_lapack(work); }
  void solve(const scratch<element>& parts, int* info) const {
    all.call_lapack(parts.lapack(info));
    *wanted.count = 0;
    if (*info == 0) wanted.select(all.n, all.w, wants_vectors(all.jobz) ? all.a : nullptr, all.lda);
  }
};
template <class T, class Index>
using syevdx = selected_eigenvalues<syevd<T>, Index>;

// The generalized problem, whose B is replaced by its factor.
template <class T>
struct sygvd {
  using element = T;

  cusolverEigType_t itype;
  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  T* b;
  int64_t ldb;
  real_of<T>* w;

  syevd<T> plain() const { return {jobz, uplo, n, a, lda, w}; }
  void check(argument_checks& valid) const {
    plain().check(valid);
    valid.require(itype >= CUSOLVER_EIG_TYPE_1 && itype <= CUSOLVER_EIG_TYPE_3).columns(ldb, n);
  }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n, wants_vectors(jobz) ? CUBLAS_FILL_MODE_FULL : uplo);
  }
  double cost() const { return 8 * cost_of(n, n, n); }
  bool report(memory_accesses& memory) const {
    writes_triangle(memory, b, uplo, n, ldb, "B");
    return plain().report(memory);
  }
  void call_lapack(const lapack_work<T>& work) const {
    const libraries::blas_argument type(itype);
    const char* const mode = letter_of_mode(jobz);
    if constexpr (is_complex<T>) {
      lapack<T>().sygvd(type, mode, arg(uplo), arg(n), a, arg(lda), b, arg(ldb), w, work.work, &work.lwork, work.rwork,
                        &work.lrwork, work.iwork, &work.liwork, work.info, 1, 1);
    } else {
      lapack<T>().sygvd(type, mode, arg(uplo), arg(n), a, arg(lda), b, arg(ldb), w, work.work, &work.lwork, work.iwork,
                        &work.liwork, work.info, 1, 1);
    }
  }
};

template <class T>
using sygvdx = selected_eigenvalues<sygvd<T>, int>;

// The Frobenius norm of A * V - U * S for A of m rows and n columns, whose product with V is made in `space` of m * k
// numbers. V has n rows and k columns, U m rows and k columns.
template <class T>
double residual_of(int64_t m, int64_t n, int64_t k, const T* a, const T* v, int64_t ldv, const T* u, int64_t ldu,
                   const real_of<T>* s, T* space) {
  std::fill_n(space, m * k, T{});
  if (m == 0 || n == 0 || k == 0) return 0;
  add_product(m, k, n, real_of<T>(1), a, m, v, ldv, space, m);
  double sum = 0;
  for (int64_t column = 0; column < k; ++column) {
    for (int64_t row = 0; row < m; ++row) {
      const auto difference = number(space[row + column * m]) - number(u[row + column * ldu]) * s[column];
      sum += static_cast<double>(std::norm(difference));
    }
  }
  return std::sqrt(sum);
}

// Eigenvalues by "Jacobi's method": the call has its interface, but LAPACK's divide and conquer computes the result.
// Its error is below each tolerance that Jacobi's method may be given. The residual is computed from the result.
template <class T>
struct syevj {
  using element = T;

  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  real_of<T>* w;
  shared_results results;

  void check(argument_checks& valid) const {
    syevd<T>{jobz, uplo, n, a, lda, w}.check(valid);
    valid.pointers(results.get());
  }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n, wants_vectors(jobz) ? CUBLAS_FILL_MODE_FULL : uplo);
  }
  double cost() const { return 8 * cost_of(n, n, n); }
  bool report(memory_accesses& memory) const { return syevd<T>{jobz, uplo, n, a, lda, w}.report(memory); }
  void call_lapack(const lapack_work<T>& work) const {
    syevd<T>{CUSOLVER_EIG_MODE_VECTOR, uplo, n, a, lda, w}.call_lapack(work);
  }
  // Space for the full matrix, a product, and the vectors.
  scratch_size extra() const { return {3 * n * n}; }
  void solve(const scratch<T>& parts, int* info) const {
    T* const full = parts.numbers();
    T* const product = full + n * n;
    T* const vectors = product + n * n;
    mirror(full);
    std::copy_n(full, n * n, vectors);
    syevd<T>{CUSOLVER_EIG_MODE_VECTOR, uplo, n, vectors, std::max<int64_t>(1, n), w}.call_lapack(parts.lapack(info));
    if (*info > 0) *info = static_cast<int>(n) + 1;
    results->is_batch = false;
    results->residual = residual_of(n, n, n, full, vectors, n, vectors, n, w, product);
    for (int64_t column = 0; wants_vectors(jobz) && column < n; ++column) {
      std::copy_n(vectors + column * n, n, a + column * lda);
    }
  }

 private:
  void mirror(T* full) const {
    for (int64_t column = 0; column < n; ++column) {
      for (int64_t row = 0; row < n; ++row) {
        const bool is_stored = uplo == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
        auto& to = numbers(full)[row + column * n];
        to = is_stored ? number(a[row + column * lda]) : conjugate(number(a[column + row * lda]));
        if (row == column) to = std::real(to);
      }
    }
  }
};

// A batch: matrices follow at distances of lda * n numbers, their eigenvalues at distances of n.
template <class T>
struct syev_batched {
  using element = T;

  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  real_of<T>* w;
  int64_t count;

  syevd<T> matrix(int64_t i) const { return {jobz, uplo, n, a + i * lda * n, lda, w + i * n}; }
  void check(argument_checks& valid) const {
    valid.sizes(count);
    syevd<T>{jobz, uplo, n, a, lda, w}.check(valid);
  }
  int64_t infos() const { return count; }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n * count, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return 4 * cost_of(n, n, n) * static_cast<double>(count); }
  bool report(memory_accesses& memory) const {
    for (int64_t i = 0; i < count; ++i) {
      if (!matrix(i).report(memory)) return false;
    }
    return true;
  }
  void call_lapack(const lapack_work<T>& work) const { syevd<T>{jobz, uplo, n, a, lda, w}.call_lapack(work); }
  void solve(const scratch<T>& parts, int* infos) const {
    for (int64_t i = 0; i < count; ++i) matrix(i).call_lapack(parts.lapack(infos + i));
  }
};

template <class T>
struct syevj_batched {
  using element = T;

  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  real_of<T>* w;
  int64_t count;
  shared_results results;

  syev_batched<T> batch() const { return {jobz, uplo, n, a, lda, w, count}; }
  void check(argument_checks& valid) const {
    batch().check(valid);
    valid.pointers(results.get());
  }
  int64_t infos() const { return count; }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n * count, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return batch().cost(); }
  bool report(memory_accesses& memory) const { return batch().report(memory); }
  void call_lapack(const lapack_work<T>& work) const { batch().call_lapack(work); }
  void solve(const scratch<T>& parts, int* infos) const {
    results->is_batch = true;
    batch().solve(parts, infos);
    for (int64_t i = 0; i < count; ++i) {
      if (infos[i] > 0) infos[i] = static_cast<int>(n) + 1;
    }
  }
};

// The generalized problem as a plain one with the factor of B.
template <class T>
struct sygvj {
  using element = T;

  cusolverEigType_t itype;
  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n;
  T* a;
  int64_t lda;
  T* b;
  int64_t ldb;
  real_of<T>* w;
  shared_results results;

  sygvd<T> pair() const { return {itype, jobz, uplo, n, a, lda, b, ldb, w}; }
  syevj<T> plain() const { return {jobz, uplo, n, a, lda, w, results}; }
  void check(argument_checks& valid) const {
    pair().check(valid);
    valid.pointers(results.get());
  }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n, wants_vectors(jobz) ? CUBLAS_FILL_MODE_FULL : uplo);
  }
  double cost() const { return 12 * cost_of(n, n, n); }
  bool report(memory_accesses& memory) const { return pair().report(memory); }
  void call_lapack(const lapack_work<T>& work) const { plain().call_lapack(work); }
  scratch_size extra() const { return plain().extra(); }
  void solve(const scratch<T>& parts, int* info) const {
    potrf<T>{{uplo, n, b, ldb}}.solve(parts, info);
    if (*info != 0) return;
    lapack<T>().sygst(libraries::blas_argument(itype), arg(uplo), arg(n), a, arg(lda), b, arg(ldb), info, 1);
    plain().solve(parts, info);
    if (wants_vectors(jobz) && *info == 0) transform_back();
  }

 private:
  void transform_back() const {
    const bool multiplies = itype == CUSOLVER_EIG_TYPE_3;
    const bool is_upper = uplo == CUBLAS_FILL_MODE_UPPER;
    const char* const trans = is_upper == multiplies ? (is_complex<T> ? "C" : "T") : "N";
    const T one = number_of<T>(1);
    const auto function = multiplies ? lapack<T>().trmm : lapack<T>().trsm;
    function("L", arg(uplo), trans, "N", arg(n), arg(n), &one, b, arg(ldb), a, arg(lda), 1, 1, 1, 1);
  }
};

// General matrices. Eigenvalues of real matrices are complex numbers, or n real parts before n imaginary parts.
template <class T>
struct geev {
  using element = T;

  cusolverEigMode_t jobvl, jobvr;
  int64_t n;
  T* a;
  int64_t lda;
  void* w;
  bool has_complex_results;  // a real matrix may have complex eigenvalues
  T* vl;
  int64_t ldvl;
  T* vr;
  int64_t ldvr;

  void check(argument_checks& valid) const {
    check_mode(valid, jobvl);
    check_mode(valid, jobvr);
    valid.sizes(n).columns(lda, n).columns(ldvr, wants_vectors(jobvr) ? n : 1).indices(ldvl);
  }
  const char* refused() const { return wants_vectors(jobvl) ? "there are right eigenvectors only" : nullptr; }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, n, n, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return 25 * cost_of(n, n, n); }
  bool report(memory_accesses& memory) const {
    memory.writes(vector_at(static_cast<real_of<T>*>(w), 2 * n, 1));
    if (wants_vectors(jobvr)) memory.writes(matrix_at(vr, n, n, ldvr));
    return memory.writes(matrix_at(a, n, n, lda));
  }
  scratch_size unreported() const { return {0, is_complex<T> ? 2 * n : 0, 0}; }
  scratch_size extra() const { return {0, has_complex_results ? 2 * n : 0, 0}; }
  void call_with(real_of<T>* reals, const lapack_work<T>& work) const {
    const libraries::blas_argument one(1);
    if constexpr (is_complex<T>) {
      lapack<T>().geev("N", letter_of_mode(jobvr), arg(n), a, arg(lda), static_cast<T*>(w), vl, one, vr, arg(ldvr),
                       work.work, &work.lwork, work.rwork, work.info, 1, 1);
    } else {
      lapack<T>().geev("N", letter_of_mode(jobvr), arg(n), a, arg(lda), reals, reals + n, vl, one, vr, arg(ldvr),
                       work.work, &work.lwork, work.info, 1, 1);
    }
  }
  void call_lapack(const lapack_work<T>& work) const { call_with(static_cast<real_of<T>*>(w), work); }
  void solve(const scratch<T>& parts, int* info) const {
    auto* const results = static_cast<real_of<T>*>(w);
    if (!has_complex_results) return call_with(results, parts.lapack(info));
    call_with(parts.reals(), parts.lapack(info));
    for (int64_t i = 0; i < n; ++i) {
      results[2 * i] = parts.reals()[i];
      results[2 * i + 1] = parts.reals()[n + i];
    }
  }
};

}  // namespace cohort::cusolver
