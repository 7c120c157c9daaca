// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Singular values and vectors: A = U * S * V^H.
#pragma once

#include <algorithm>

#include "libraries/cusolver/eigenvalues.hpp"

namespace cohort::cusolver {

// Singular values and vectors by LAPACK's gesvd (QR iteration), with V^H.
template <class T>
struct gesvd {
  using element = T;

  signed char jobu, jobvt;
  int64_t m, n;
  T* a;
  int64_t lda;
  real_of<T>* s;
  T* u;
  int64_t ldu;
  T* vt;
  int64_t ldvt;
  real_of<T>* rwork;  // null, or receives the superdiagonal that did not converge

  int64_t rank() const { return std::min(m, n); }
  int64_t columns_of_u() const { return jobu == 'A' ? m : jobu == 'S' ? rank() : 0; }
  int64_t rows_of_vt() const { return jobvt == 'A' ? n : jobvt == 'S' ? rank() : 0; }
  static bool is_job(signed char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; }
  void check(argument_checks& valid) const {
    valid.require(is_job(jobu) && is_job(jobvt) && (jobu != 'O' || jobvt != 'O'));
    valid.sizes(m, n).require(m >= n).columns(lda, m);
    valid.columns(ldu, columns_of_u() > 0 ? m : 1).columns(ldvt, rows_of_vt());
  }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, m, n, CUBLAS_FILL_MODE_FULL);
    if (rows_of_vt() > 0) use(vt, ldvt, rows_of_vt(), n, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return 10 * cost_of(m, n, rank()); }
  bool report(memory_accesses& memory) const {
    memory.writes(vector_at(s, rank(), 1));
    if (columns_of_u() > 0) memory.writes(matrix_at(u, m, columns_of_u(), ldu));
    if (rows_of_vt() > 0) memory.writes(matrix_at(vt, rows_of_vt(), n, ldvt));
    if (rwork) memory.writes(vector_at(rwork, std::max<int64_t>(0, rank() - 1), 1));
    return memory.writes(matrix_at(a, m, n, lda));
  }
  // LAPACK's work space depends on the jobs. The program's size query does not name them: it returns the largest size.
  void call_lapack(const lapack_work<T>& w) const {
    if (w.lwork != -1) return call_with(jobu, jobvt, ldu, ldvt, w);
    real_of<T> longest = 0;
    for (const char for_u : {'A', 'S', 'O', 'N'}) {
      for (const char for_vt : {'A', 'S', 'O', 'N'}) {
        if (for_u == 'O' && for_vt == 'O') continue;
        call_with(for_u, for_vt, std::max<int64_t>(1, m), std::max<int64_t>(1, n), w);
        longest = std::max(longest, std::real(number(*w.work)));
      }
    }
    *w.work = number_of<T>(longest);
  }
  scratch_size unreported() const { return {0, is_complex<T> ? 5 * rank() : 0, 0}; }
  void solve(const scratch<T>& parts, int* info) const {
    const lapack_work<T> w = parts.lapack(info);
    call_lapack(w);
    if (!rwork || rank() == 0) return;
    if constexpr (is_complex<T>) {
      std::copy_n(w.rwork, rank() - 1, rwork);
    } else {
      std::copy_n(w.work + 1, rank() - 1, rwork);
    }
  }

 private:
  void call_with(char for_u, char for_vt, int64_t of_u, int64_t of_vt, const lapack_work<T>& w) const {
    if constexpr (is_complex<T>) {
      lapack<T>().gesvd(&for_u, &for_vt, arg(m), arg(n), a, arg(lda), s, u, arg(of_u), vt, arg(of_vt), w.work, &w.lwork,
                        w.rwork, w.info, 1, 1);
    } else {
      lapack<T>().gesvd(&for_u, &for_vt, arg(m), arg(n), a, arg(lda), s, u, arg(of_u), vt, arg(of_vt), w.work, &w.lwork,
                        w.info, 1, 1);
    }
  }
};

// Singular values and vectors by LAPACK's gesdd (divide and conquer). Returns V^H in `vt`, without gaps between its
// columns.
template <class T>
struct gesdd {
  bool has_vectors, is_economic;
  int64_t m, n;
  T* a;
  int64_t lda;
  real_of<T>* s;
  T* u;
  int64_t ldu;
  T* vt;

  int64_t rank() const { return std::min(m, n); }
  int64_t rows_of_vt() const { return is_economic ? rank() : n; }
  void call_lapack(const lapack_work<T>& w) const {
    const char* const job = !has_vectors ? "N" : is_economic ? "S" : "A";
    const libraries::blas_argument of_vt(std::max<int64_t>(1, rows_of_vt()));
    if constexpr (is_complex<T>) {
      lapack<T>().gesdd(job, arg(m), arg(n), a, arg(lda), s, u, arg(ldu), vt, of_vt, w.work, &w.lwork, w.rwork, w.iwork,
                        w.info, 1);
    } else {
      lapack<T>().gesdd(job, arg(m), arg(n), a, arg(lda), s, u, arg(ldu), vt, of_vt, w.work, &w.lwork, w.iwork, w.info,
                        1);
    }
  }
  scratch_size unreported() const {
    const int64_t small = rank(), large = std::max(m, n);
    const int64_t reals = std::max(5 * small * small + 7 * small, 2 * large * small + 2 * small * small + small);
    return {0, is_complex<T> ? reals : 0, 8 * small};
  }
};

// V of `columns` columns from V^H, whose columns have `rows` elements.
template <class T>
void copy_adjoint(const T* vt, int64_t rows, int64_t n, int64_t columns, T* v, int64_t ldv) {
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t row = 0; row < n; ++row) {
      numbers(v)[row + column * ldv] = conjugate(number(vt[column + row * rows]));
    }
  }
}

// U, S and V of one matrix, which is destroyed. All routines that return V use it, whichever method their name
// promises: it is as exact as the most exact of them.
template <class T>
struct decomposition {
  cusolverEigMode_t jobz;
  int econ;
  int64_t m, n;
  T* a;
  int64_t lda;
  real_of<T>* s;
  T* u;
  int64_t ldu;
  T* v;
  int64_t ldv;

  int64_t rank() const { return std::min(m, n); }
  int64_t columns_of_u() const { return econ ? rank() : m; }
  int64_t columns_of_v() const { return econ ? rank() : n; }
  gesdd<T> with(T* vt) const { return {wants_vectors(jobz), econ != 0, m, n, a, lda, s, u, ldu, vt}; }
  void check(argument_checks& valid) const {
    check_mode(valid, jobz);
    valid.sizes(m, n).columns(lda, m).columns(ldu, wants_vectors(jobz) ? m : 1);
    valid.columns(ldv, wants_vectors(jobz) ? n : 1);
  }
  double cost() const { return 10 * cost_of(m, n, rank()); }
  bool report(memory_accesses& memory) const {
    memory.writes(vector_at(s, rank(), 1));
    if (wants_vectors(jobz)) {
      memory.writes(matrix_at(u, m, columns_of_u(), ldu));
      memory.writes(matrix_at(v, n, columns_of_v(), ldv));
    }
    return memory.writes(matrix_at(a, m, n, lda));
  }
  void call_lapack(const lapack_work<T>& w) const { with(nullptr).call_lapack(w); }
  scratch_size unreported() const { return with(nullptr).unreported(); }
  scratch_size extra() const { return {wants_vectors(jobz) ? columns_of_v() * n : 0}; }
  // Computes the decomposition. `vt`: space of the size of extra()
  void solve_in(T* vt, const lapack_work<T>& w) const {
    with(vt).call_lapack(w);
    if (wants_vectors(jobz)) copy_adjoint(vt, columns_of_v(), n, columns_of_v(), v, ldv);
  }
};

// Singular values by "Jacobi's method": the call has its interface, and `decomposition` computes the result.
template <class T>
struct gesvdj {
  using element = T;

  cusolverEigMode_t jobz;
  int econ;
  int64_t m, n;
  T* a;
  int64_t lda;
  real_of<T>* s;
  T* u;
  int64_t ldu;
  T* v;
  int64_t ldv;
  shared_results results;

  decomposition<T> wanted() const { return {jobz, econ, m, n, a, lda, s, u, ldu, v, ldv}; }
  // The decomposition to compute, with vectors, which the residual needs. `at`: space for those that are not requested.
  decomposition<T> computed(T* at) const {
    if (wants_vectors(jobz)) return wanted();
    return {CUSOLVER_EIG_MODE_VECTOR, 1, m, n, a, lda, s, at, std::max<int64_t>(1, m), at + m * rank(),
            std::max<int64_t>(1, n)};
  }
  int64_t rank() const { return std::min(m, n); }
  void check(argument_checks& valid) const {
    wanted().check(valid);
    valid.pointers(results.get());
  }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, m, n, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return wanted().cost(); }
  bool report(memory_accesses& memory) const { return wanted().report(memory); }
  void call_lapack(const lapack_work<T>& w) const { computed(nullptr).call_lapack(w); }
  scratch_size unreported() const { return computed(nullptr).unreported(); }
  // Space for a copy of the matrix, a product, and the vectors.
  scratch_size extra() const {
    const int64_t vectors = wants_vectors(jobz) ? 0 : (m + n) * rank();
    return computed(nullptr).extra() + scratch_size{m * n + m * rank() + vectors};
  }
  void solve(const scratch<T>& parts, int* info) const {
    T* const copy = parts.numbers();
    T* const product = copy + m * n;
    T* const vectors = product + m * rank();
    T* const vt = vectors + (wants_vectors(jobz) ? 0 : (m + n) * rank());
    for (int64_t column = 0; column < n; ++column) std::copy_n(a + column * lda, m, copy + column * m);
    const decomposition<T> all = computed(vectors);
    all.solve_in(vt, parts.lapack(info));
    if (*info > 0) *info = static_cast<int>(rank()) + 1;
    results->is_batch = false;
    results->residual = residual_of(m, n, rank(), copy, all.v, all.ldv, all.u, all.ldu, s, product);
  }
};

// A batch of small matrices, which follow each other without gaps.
template <class T>
struct gesvdj_batched {
  using element = T;

  cusolverEigMode_t jobz;
  int64_t m, n;
  T* a;
  int64_t lda;
  real_of<T>* s;
  T* u;
  int64_t ldu;
  T* v;
  int64_t ldv, count;
  shared_results results;

  static constexpr int64_t largest = 32;  // the largest matrix of a batch in cuSOLVER
  decomposition<T> matrix(int64_t i) const {
    return {jobz, 0, m, n, a + i * lda * n, lda, s + i * std::min(m, n), u + i * ldu * m, ldu, v + i * ldv * n, ldv};
  }
  void check(argument_checks& valid) const {
    valid.sizes(count).require(m <= largest && n <= largest).pointers(results.get());
    matrix(0).check(valid);
  }
  int64_t infos() const { return count; }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, m, n * count, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return matrix(0).cost() * static_cast<double>(count); }
  bool report(memory_accesses& memory) const {
    for (int64_t i = 0; i < count; ++i) {
      if (!matrix(i).report(memory)) return false;
    }
    return true;
  }
  void call_lapack(const lapack_work<T>& w) const { matrix(0).call_lapack(w); }
  scratch_size unreported() const { return matrix(0).unreported(); }
  scratch_size extra() const { return matrix(0).extra(); }
  void solve(const scratch<T>& parts, int* infos) const {
    results->is_batch = true;
    for (int64_t i = 0; i < count; ++i) {
      matrix(i).solve_in(parts.numbers(), parts.lapack(infos + i));
      if (infos[i] > 0) infos[i] = static_cast<int>(std::min(m, n)) + 1;
    }
  }
};

// Singular values of a batch, of which the `rank` largest are returned. `residuals`, in host memory: for each matrix
// the Frobenius norm of A - U * S * V^H with these values.
template <class T>
struct gesvda_batched {
  using element = T;

  cusolverEigMode_t jobz;
  int64_t rank, m, n;
  const T* a;
  int64_t lda, stride_a;
  real_of<T>* s;
  int64_t stride_s;
  T* u;
  int64_t ldu, stride_u;
  T* v;
  int64_t ldv, stride_v;
  double* residuals;
  int64_t count;

  int64_t order() const { return std::min(m, n); }
  // The arrays in work space: a copy of A, U, V^H, an unused column (each_matrix).
  gesdd<T> matrix(const scratch<T>& parts) const {
    T* const copy = parts.numbers();
    T* const left = copy + m * n;
    return {true,
            true,
            m,
            n,
            copy,
            std::max<int64_t>(1, m),
            parts.reals(),
            left,
            std::max<int64_t>(1, m),
            left + m * order()};
  }
  void check(argument_checks& valid) const {
    check_mode(valid, jobz);
    valid.sizes(m, n, count).require(rank >= 0 && rank <= order()).columns(lda, m);
    valid.columns(ldu, wants_vectors(jobz) ? m : 1).columns(ldv, wants_vectors(jobz) ? n : 1);
  }
  int64_t infos() const { return count; }
  bool waits() const { return residuals != nullptr; }
  double cost() const { return 10 * cost_of(m, n, order()) * static_cast<double>(count); }
  bool report(memory_accesses& memory) const {
    for (int64_t i = 0; i < count; ++i) {
      memory.reads(matrix_at(a + i * stride_a, m, n, lda));
      memory.writes(vector_at(s + i * stride_s, rank, 1));
      if (!wants_vectors(jobz)) continue;
      memory.writes(matrix_at(u + i * stride_u, m, rank, ldu));
      memory.writes(matrix_at(v + i * stride_v, n, rank, ldv));
    }
    return memory.error() == cudaSuccess;
  }
  void call_lapack(const lapack_work<T>& w) const {
    gesdd<T>{true, true, m, n, nullptr, std::max<int64_t>(1, m), nullptr, nullptr, std::max<int64_t>(1, m), nullptr}
        .call_lapack(w);
  }
  scratch_size unreported() const {
    return gesdd<T>{true, true, m, n, nullptr, 1, nullptr, nullptr, 1, nullptr}.unreported();
  }
  scratch_size extra() const { return {m * n + (m + n) * order() + std::max(m, n), order(), 0}; }
  void solve(const scratch<T>& parts, int* infos) const {
    for (int64_t i = 0; i < count; ++i) {
      const gesdd<T> one = matrix(parts);
      for (int64_t column = 0; column < n; ++column)
        std::copy_n(a + i * stride_a + column * lda, m, one.a + column * m);
      one.call_lapack(parts.lapack(infos + i));
      if (infos[i] > 0) infos[i] = static_cast<int>(order()) + 1;
      std::copy_n(one.s, rank, s + i * stride_s);
      if (wants_vectors(jobz)) {
        for (int64_t column = 0; column < rank; ++column) {
          std::copy_n(one.u + column * m, m, u + i * stride_u + column * ldu);
        }
        copy_adjoint(one.vt, order(), n, rank, v + i * stride_v, ldv);
      }
      if (residuals) residuals[i] = rest_of(i, one);
    }
  }

 private:
  // The Frobenius norm of matrix `i` without the part of its largest singular values. Overwrites the copy and U.
  double rest_of(int64_t i, const gesdd<T>& one) const {
    if (m == 0 || n == 0) return 0;
    for (int64_t column = 0; column < n; ++column) std::copy_n(a + i * stride_a + column * lda, m, one.a + column * m);
    for (int64_t column = 0; column < rank; ++column) {
      for (int64_t row = 0; row < m; ++row) numbers(one.u)[row + column * m] *= one.s[column];
    }
    if (rank > 0) add_product(m, n, rank, real_of<T>(-1), one.u, m, one.vt, order(), one.a, m);
    double sum = 0;
    for (int64_t k = 0; k < m * n; ++k) sum += static_cast<double>(std::norm(number(one.a[k])));
    return std::sqrt(sum);
  }
};

// Singular values by "polar decomposition": the call has its interface, and `decomposition` computes the result.
// `error`, in host memory: the perturbation of A by that method, here 0.
template <class T>
struct gesvdp {
  using element = T;

  cusolverEigMode_t jobz;
  int econ;
  int64_t m, n;
  T* a;
  int64_t lda;
  real_of<T>* s;
  T* u;
  int64_t ldu;
  T* v;
  int64_t ldv;
  double* error;

  decomposition<T> matrix() const { return {jobz, econ, m, n, a, lda, s, u, ldu, v, ldv}; }
  void check(argument_checks& valid) const { matrix().check(valid); }
  bool waits() const { return error != nullptr; }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, m, n, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return matrix().cost(); }
  bool report(memory_accesses& memory) const { return matrix().report(memory); }
  void call_lapack(const lapack_work<T>& w) const { matrix().call_lapack(w); }
  scratch_size unreported() const { return matrix().unreported(); }
  scratch_size extra() const { return matrix().extra(); }
  void solve(const scratch<T>& parts, int* info) const {
    matrix().solve_in(parts.numbers(), parts.lapack(info));
    if (error) *error = 0;
  }
};

// The k largest singular values. CUDA approximates them from random vectors. Here all values are computed and k are
// copied, so oversampling and iterations have no effect.
template <class T>
struct gesvdr {
  using element = T;

  signed char jobu, jobv;
  int64_t m, n, k, p, iterations;
  T* a;
  int64_t lda;
  real_of<T>* s;
  T* u;
  int64_t ldu;
  T* v;
  int64_t ldv;

  int64_t order() const { return std::min(m, n); }
  static bool is_job(signed char job) { return job == 'S' || job == 'N'; }
  void check(argument_checks& valid) const {
    valid.require(is_job(jobu) && is_job(jobv)).sizes(m, n, k, p, iterations).require(k + p <= order());
    valid.columns(lda, m).columns(ldu, jobu == 'S' ? m : 1).columns(ldv, jobv == 'S' ? n : 1);
  }
  template <class Use>
  void each_matrix(Use&& use) {
    use(a, lda, m, n, CUBLAS_FILL_MODE_FULL);
  }
  double cost() const { return 10 * cost_of(m, n, order()); }
  bool report(memory_accesses& memory) const {
    memory.writes(vector_at(s, k, 1));
    if (jobu == 'S') memory.writes(matrix_at(u, m, k, ldu));
    if (jobv == 'S') memory.writes(matrix_at(v, n, k, ldv));
    return memory.writes(matrix_at(a, m, n, lda));
  }
  // All values, U and V^H are in work space.
  gesdd<T> matrix(real_of<T>* values, T* left) const {
    return {jobu == 'S' || jobv == 'S', true, m, n, a, lda, values, left, std::max<int64_t>(1, m), left + m * order()};
  }
  void call_lapack(const lapack_work<T>& w) const { matrix(nullptr, nullptr).call_lapack(w); }
  scratch_size unreported() const { return matrix(nullptr, nullptr).unreported(); }
  scratch_size extra() const { return {(m + n) * order(), order(), 0}; }
  void solve(const scratch<T>& parts, int* info) const {
    const gesdd<T> all = matrix(parts.reals(), parts.numbers());
    all.call_lapack(parts.lapack(info));
    std::copy_n(all.s, k, s);
    for (int64_t column = 0; jobu == 'S' && column < k; ++column) std::copy_n(all.u + column * m, m, u + column * ldu);
    if (jobv == 'S') copy_adjoint(all.vt, order(), n, k, v, ldv);
  }
};

}  // namespace cohort::cusolver
