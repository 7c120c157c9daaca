// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solutions by a factorization in a lower precision, which residuals in the full one refine. Lower precisions than
// float are computed in float.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "libraries/cusolver/lu.hpp"

namespace cohort::cusolver {

// Results for the program besides the solution. A call writes them before it returns.
struct refinement_report {
  int* iterations = nullptr;  // negative where the refinement has not converged
  // The norms of the residuals of each right-hand side, `history_rows` for each; null for none.
  void* history = nullptr;
  int history_rows = 0;
};

struct refinement {
  bool is_lower = true;  // the factorization has a lower precision
  bool refines = true;
  bool falls_back = true;  // factorizes in the full precision if the refinement fails
  double tolerance = 0;    // 0: the default of the type
  int max_iterations = 50;
};

// Reasons for a negative number of iterations.
inline constexpr int overflowed = -2, not_factored = -3;

// Solves A * X = B by factors of the precision of F. A is unchanged unless the solution falls back.
template <class T, class F>
class refined_solution {
 public:
  using R = real_of<T>;

  refined_solution(int64_t n, int64_t nrhs, T* a, int64_t lda, const T* b, int64_t ldb, T* x, int64_t ldx, int* pivots)
      : n_(n), nrhs_(nrhs), a_(a), lda_(lda), b_(b), ldb_(ldb), x_(x), ldx_(ldx), pivots_(pivots) {}

  // The number of iterations, or the reason why there is no solution. `factors` has n * n numbers, `low` and
  // `residual` have n * nrhs.
  int refine(const refinement& how, const refinement_report& report, F* factors, F* low, T* residual) {
    if (!convert(a_, lda_, n_, factors)) return overflowed;
    int info = 0;
    lapack<F>().getrf(arg(n_), arg(n_), factors, arg(n_), pivots_, &info);
    if (info != 0) return not_factored;
    for (int64_t column = 0; column < nrhs_; ++column) std::fill_n(x_ + column * ldx_, n_, T{});
    copy(b_, ldb_, residual, n_);
    for (int iteration = 0;; ++iteration) {
      if (!convert(residual, n_, nrhs_, low)) return overflowed;
      lapack<F>().getrs("N", arg(n_), arg(nrhs_), factors, arg(n_), pivots_, low, arg(n_), &info, 1);
      add(low);
      if (!how.refines) return 0;
      copy(b_, ldb_, residual, n_);
      add_product(n_, nrhs_, n_, R(-1), a_, lda_, x_, ldx_, residual, n_);
      if (has_converged(how, report, residual, iteration)) return iteration;
      if (iteration >= how.max_iterations) return -std::max(1, how.max_iterations);
    }
  }
  // Replaces A by its factors. Returns the first column, from 1, with a zero on the diagonal of U, or 0.
  int solve_in_full() {
    int info = 0;
    lapack<T>().getrf(arg(n_), arg(n_), a_, arg(lda_), pivots_, &info);
    if (info != 0) return info;
    copy(b_, ldb_, x_, ldx_);
    lapack<T>().getrs("N", arg(n_), arg(nrhs_), a_, arg(lda_), pivots_, x_, arg(ldx_), &info, 1);
    return 0;
  }

 private:
  void copy(const T* from, int64_t ld_from, T* to, int64_t ld_to) const {
    for (int64_t column = 0; column < nrhs_; ++column) {
      std::copy_n(from + column * ld_from, n_, to + column * ld_to);
    }
  }
  // Converts a matrix to the lower precision F. False if a finite number becomes infinite.
  bool convert(const T* from, int64_t ld, int64_t columns, F* to) const {
    bool fits = true;
    for (int64_t column = 0; column < columns; ++column) {
      for (int64_t row = 0; row < n_; ++row) {
        const auto value = number(from[row + column * ld]);
        const auto converted = static_cast<libraries::arithmetic_of<F>>(value);
        fits = fits && (std::isfinite(std::abs(converted)) || !std::isfinite(std::abs(value)));
        numbers(to)[row + column * n_] = converted;
      }
    }
    return fits;
  }
  void add(const F* correction) {
    for (int64_t column = 0; column < nrhs_; ++column) {
      for (int64_t row = 0; row < n_; ++row) {
        numbers(x_)[row + column * ldx_] +=
            static_cast<libraries::arithmetic_of<T>>(number(correction[row + column * n_]));
      }
    }
  }
  static R largest(const T* x, int64_t n) {
    R norm = 0;
    for (int64_t i = 0; i < n; ++i) norm = std::max(norm, static_cast<R>(std::abs(number(x[i]))));
    return norm;
  }
  // The largest sum of a row's absolute values.
  R norm_of_matrix() const {
    std::vector<R> sums(static_cast<size_t>(n_));
    for (int64_t column = 0; column < n_; ++column) {
      for (int64_t row = 0; row < n_; ++row) {
        sums[static_cast<size_t>(row)] += static_cast<R>(std::abs(number(a_[row + column * lda_])));
      }
    }
    return *std::max_element(sums.begin(), sums.end());
  }
  // The criterion of LAPACK's dsgesv, for all right-hand sides.
  bool has_converged(const refinement& how, const refinement_report& report, const T* residual, int iteration) {
    if (norm_ < 0) norm_ = norm_of_matrix();
    const double tolerance = how.tolerance > 0 ? how.tolerance : std::numeric_limits<R>::epsilon() / 2;
    const double limit = norm_ * tolerance * std::sqrt(static_cast<double>(n_));
    bool converged = true;
    for (int64_t column = 0; column < nrhs_; ++column) {
      const R rest = largest(residual + column * n_, n_);
      if (report.history) static_cast<R*>(report.history)[iteration + column * report.history_rows] = rest;
      converged = converged && rest <= largest(x_ + column * ldx_, n_) * limit;
    }
    return converged;
  }

  int64_t n_, nrhs_;
  T* a_;
  int64_t lda_;
  const T* b_;
  int64_t ldb_;
  T* x_;
  int64_t ldx_;
  int* pivots_;
  R norm_ = -1;
};

template <class T>
struct lower_precision {
  using type = T;
};
template <>
struct lower_precision<double> {
  using type = float;
};
template <>
struct lower_precision<cuDoubleComplex> {
  using type = cuComplex;
};

// Solves A * X = B by LU factors and iterative refinement.
template <class T>
struct gesv {
  using element = T;
  using low_number = typename lower_precision<T>::type;

  refinement how;
  refinement_report result;
  int64_t n, nrhs;
  T* a;
  int64_t lda;
  int* pivots;  // null: in work space
  const T* b;
  int64_t ldb;
  T* x;
  int64_t ldx;

  void check(argument_checks& valid) const {
    valid.sizes(n, nrhs).columns(lda, n).columns(ldb, n).columns(ldx, n).require(how.max_iterations >= 0);
  }
  bool waits() const { return true; }
  double cost() const { return cost_of(n, n, n); }
  bool report(memory_accesses& memory) const {
    memory.writes(matrix_at(a, n, n, lda));
    if (pivots) memory.writes(vector_at(pivots, n, 1));
    memory.reads(matrix_at(b, n, nrhs, ldb));
    return memory.writes(matrix_at(x, n, nrhs, ldx));
  }
  // Space for the factors, a right-hand side in the precision of the factors, a residual, and pivots.
  scratch_size extra() const { return {n * n + 2 * n * nrhs, 0, n}; }
  void solve(const scratch<T>& parts, int* info) const {
    *info = 0;
    *result.iterations = 0;
    if (n == 0 || nrhs == 0) return;
    const auto run = [&](auto type) {
      using F = decltype(type);
      T* const low = parts.numbers() + n * n;
      refined_solution<T, F> solution(n, nrhs, a, lda, b, ldb, x, ldx, pivots ? pivots : parts.ints());
      *result.iterations = solution.refine(how, result, reinterpret_cast<F*>(parts.numbers()),
                                           reinterpret_cast<F*>(low), low + n * nrhs);
      if (*result.iterations < 0 && how.falls_back) *info = solution.solve_in_full();
    };
    how.is_lower ? run(low_number{}) : run(T{});
  }
};

// The X that minimizes the norm of A * X - B, by QR factors in the precision of the operands: there is nothing to
// refine.
template <class T>
struct gels {
  using element = T;

  refinement how;
  refinement_report result;
  int64_t m, n, nrhs;
  const T* a;
  int64_t lda;
  const T* b;
  int64_t ldb;
  T* x;
  int64_t ldx;

  void check(argument_checks& valid) const {
    valid.sizes(m, n, nrhs).require(m >= n).columns(lda, m).columns(ldb, m).columns(ldx, n);
    valid.require(how.max_iterations >= 0);
  }
  bool waits() const { return true; }
  double cost() const { return cost_of(m, n, n); }
  bool report(memory_accesses& memory) const {
    memory.reads(matrix_at(a, m, n, lda));
    memory.reads(matrix_at(b, m, nrhs, ldb));
    return memory.writes(matrix_at(x, n, nrhs, ldx));
  }
  void call_with(T* matrix, T* sides, const lapack_work<T>& w) const {
    const libraries::blas_argument rows(std::max<int64_t>(1, m));
    lapack<T>().gels("N", arg(m), arg(n), arg(nrhs), matrix, rows, sides, rows, w.work, &w.lwork, w.info, 1);
  }
  void call_lapack(const lapack_work<T>& w) const { call_with(nullptr, nullptr, w); }
  scratch_size extra() const { return {m * n + m * nrhs}; }
  void solve(const scratch<T>& parts, int* info) const {
    T* const matrix = parts.numbers();
    T* const sides = matrix + m * n;
    for (int64_t column = 0; column < n; ++column) std::copy_n(a + column * lda, m, matrix + column * m);
    for (int64_t column = 0; column < nrhs; ++column) std::copy_n(b + column * ldb, m, sides + column * m);
    *result.iterations = 0;
    call_with(matrix, sides, parts.lapack(info));
    for (int64_t column = 0; column < nrhs; ++column) std::copy_n(sides + column * m, n, x + column * ldx);
  }
};

}  // namespace cohort::cusolver
