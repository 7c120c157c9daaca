// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Level 2 of cuBLAS: each routine, over all operations, triangles and diagonals.
#include <algorithm>
#include <cmath>
#include <utility>

#include "cublas_test.hpp"

namespace {

using namespace cublas_test;
using namespace cublas_test::index32;

template <class T>
class Level2 : public CublasTest<T> {
 protected:
  // Calls `use(incx, incy, beta)` with the increments and factors that each routine is tested with.
  template <class Use>
  void each_case(Use use) {
    for (const auto& [incx, incy] : {std::pair{1, 1}, {2, -1}, {-3, 2}}) {
      for (number beta : {number(0), number(1), this->random()}) use(incx, incy, beta);
    }
  }
  // The model's alpha * A * x + beta * y.
  numbers expected(number alpha, const matrix& a, const numbers& x, number beta, const numbers& y) {
    matrix column(a.columns, 1), old(a.rows, 1);
    column.values = x;
    old.values = y;
    return sum(alpha, product(a, column), beta, old).values;
  }
  // The old y: NaN where beta is 0, because the routine must not read it.
  numbers old_result(int n, number beta) {
    return beta == number(0) ? numbers(static_cast<size_t>(n), std::nan("")) : this->random_numbers(n);
  }
  static numbers with_zeros(numbers y, number beta) { return beta == number(0) ? numbers(y.size()) : y; }
  // Calls `routine(x, incx, beta, y, incy)` and compares y with alpha * a * x + beta * y.
  template <class Routine>
  void expect_product(const matrix& a, number alpha, Routine routine) {
    each_case([&](int incx, int incy, number beta) {
      const numbers x = this->random_numbers(a.columns), y = old_result(a.rows, beta);
      const numbers sy = this->stored(y, incy);
      const device_numbers<T> dx(this->stored(x, incx)), dy(sy);
      const T by_a = from<T>(alpha), by_b = from<T>(beta);
      ASSERT_EQ(routine(&by_a, dx.get(), incx, &by_b, dy.get(), incy), CUBLAS_STATUS_SUCCESS);
      this->expect_vector(dy, sy, expected(alpha, a, x, beta, with_zeros(y, beta)), incy);
    });
  }
  // Packs a triangle column by column.
  static numbers packed(const matrix& a, cublasFillMode_t uplo) {
    numbers values;
    for (int c = 0; c < a.columns; ++c) {
      for (int r = 0; r < a.rows; ++r) {
        if (is_in(uplo, r, c)) values.push_back(a.at(r, c));
      }
    }
    return values;
  }
  // The matrix without elements more than kl below and ku above the diagonal, and its storage as a band.
  static matrix band_of(matrix a, int kl, int ku) {
    for (int c = 0; c < a.columns; ++c) {
      for (int r = 0; r < a.rows; ++r) {
        if (r - c > kl || c - r > ku) a.at(r, c) = 0;
      }
    }
    return a;
  }
  numbers stored_band(const matrix& a, int kl, int ku, int ld) {
    numbers values = this->random_numbers(ld * a.columns);
    for (int c = 0; c < a.columns; ++c) {
      for (int r = std::max(0, c - ku); r < std::min(a.rows, c + kl + 1); ++r) {
        values[static_cast<size_t>(ku + r - c + c * ld)] = a.at(r, c);
      }
    }
    return values;
  }
};
TYPED_TEST_SUITE(Level2, all_types);

constexpr int matrix_shapes[][2] = {{1, 1}, {6, 4}, {7, 5}, {5, 9}, {33, 31}};

TYPED_TEST(Level2, Gemv) {
  using T = TypeParam;
  for (const auto& [m, n] : matrix_shapes) {
    for (cublasOperation_t op : operations) {
      const matrix a = this->random_matrix(m, n);
      const device_numbers<T> da(this->stored(a, m + 2));
      this->expect_product(apply(op, a), this->random(),
                           [&](auto* by_a, auto* x, int incx, auto* by_b, auto* y, int incy) {
                             return call_gemv(this->handle_, op, m, n, by_a, da.get(), m + 2, x, incx, by_b, y, incy);
                           });
    }
  }
}

TYPED_TEST(Level2, Gbmv) {
  using T = TypeParam;
  for (const auto& [m, n] : matrix_shapes) {
    for (cublasOperation_t op : operations) {
      for (const auto& [kl, ku] : {std::pair{0, 0}, {1, 2}, {3, 0}}) {
        const matrix a = this->band_of(this->random_matrix(m, n), kl, ku);
        const int ld = kl + ku + 2;
        const device_numbers<T> da(this->stored_band(a, kl, ku, ld));
        this->expect_product(
            apply(op, a), this->random(), [&](auto* by_a, auto* x, int incx, auto* by_b, auto* y, int incy) {
              return call_gbmv(this->handle_, op, m, n, kl, ku, by_a, da.get(), ld, x, incx, by_b, y, incy);
            });
      }
    }
  }
}

TYPED_TEST(Level2, SymmetricAndHermitian) {
  using T = TypeParam;
  for (int n : {1, 6, 35}) {
    for (cublasFillMode_t uplo : triangles) {
      const matrix a = this->random_matrix(n, n);
      const int k = std::min(2, n - 1), ld = n + 1;
      const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
      const matrix hermitian = mirrored(a, uplo, true), band = this->band_of(hermitian, k, k);
      const device_numbers<T> da(this->stored(a, ld)), dp(this->packed(a, uplo));
      const device_numbers<T> db(this->stored_band(triangle_of(this->band_of(a, k, k), uplo, CUBLAS_DIAG_NON_UNIT),
                                                   is_lower ? k : 0, is_lower ? 0 : k, k + 2));
      const number alpha = this->random();
      this->expect_product(mirrored(a, uplo, false), alpha,
                           [&](auto* by_a, auto* x, int incx, auto* by_b, auto* y, int incy) {
                             return call_symv(this->handle_, uplo, n, by_a, da.get(), ld, x, incx, by_b, y, incy);
                           });
      if constexpr (is_complex<T>) {
        this->expect_product(hermitian, alpha, [&](auto* by_a, auto* x, int incx, auto* by_b, auto* y, int incy) {
          return call_hemv(this->handle_, uplo, n, by_a, da.get(), ld, x, incx, by_b, y, incy);
        });
      }
      this->expect_product(hermitian, alpha, [&](auto* by_a, auto* x, int incx, auto* by_b, auto* y, int incy) {
        return call_hpmv(this->handle_, uplo, n, by_a, dp.get(), x, incx, by_b, y, incy);
      });
      this->expect_product(band, alpha, [&](auto* by_a, auto* x, int incx, auto* by_b, auto* y, int incy) {
        return call_hbmv(this->handle_, uplo, n, k, by_a, db.get(), k + 2, x, incx, by_b, y, incy);
      });
    }
  }
}

TYPED_TEST(Level2, Triangular) {
  using T = TypeParam;
  const int n = 13, ld = 15, k = 3;
  for (cublasFillMode_t uplo : triangles) {
    for (cublasOperation_t op : operations) {
      for (cublasDiagType_t diag : diagonals) {
        for (int inc : {1, -2}) {
          // Ones on the diagonal and small elements elsewhere keep the solutions exact.
          matrix a = this->random_matrix(n, n);
          for (int i = 0; i < n; ++i) a.at(i, i) = 1;
          const matrix banded = this->band_of(a, k, k);
          const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
          const device_numbers<T> da(this->stored(a, ld)), dp(this->packed(banded, uplo));
          const device_numbers<T> db(this->stored_band(triangle_of(banded, uplo, CUBLAS_DIAG_NON_UNIT),
                                                       is_lower ? k : 0, is_lower ? 0 : k, k + 1));
          const numbers x = this->random_numbers(n);
          const numbers sx = this->stored(x, inc);
          const matrix full = apply(op, triangle_of(a, uplo, diag)), band = apply(op, triangle_of(banded, uplo, diag));
          const numbers by_full = this->expected(1, full, x, 0, x), by_band = this->expected(1, band, x, 0, x);
          const numbers s_full = this->stored(by_full, inc), s_band = this->stored(by_band, inc);
          const device_numbers<T> x1(sx), x2(sx), x3(sx), y2(s_band), y3(s_band);
          ASSERT_EQ(call_trmv(this->handle_, uplo, op, diag, n, da.get(), ld, x1.get(), inc), CUBLAS_STATUS_SUCCESS);
          this->expect_vector(x1, sx, by_full, inc);
          ASSERT_EQ(call_tpmv(this->handle_, uplo, op, diag, n, dp.get(), x2.get(), inc), CUBLAS_STATUS_SUCCESS);
          this->expect_vector(x2, sx, by_band, inc);
          ASSERT_EQ(call_tbmv(this->handle_, uplo, op, diag, n, k, db.get(), k + 1, x3.get(), inc),
                    CUBLAS_STATUS_SUCCESS);
          this->expect_vector(x3, sx, by_band, inc);
          ASSERT_EQ(call_trsv(this->handle_, uplo, op, diag, n, da.get(), ld, x1.get(), inc), CUBLAS_STATUS_SUCCESS);
          this->expect_vector(x1, sx, x, inc, 1e-3);
          ASSERT_EQ(call_tpsv(this->handle_, uplo, op, diag, n, dp.get(), y2.get(), inc), CUBLAS_STATUS_SUCCESS);
          this->expect_vector(y2, s_band, x, inc, 1e-3);
          ASSERT_EQ(call_tbsv(this->handle_, uplo, op, diag, n, k, db.get(), k + 1, y3.get(), inc),
                    CUBLAS_STATUS_SUCCESS);
          this->expect_vector(y3, s_band, x, inc, 1e-3);
        }
      }
    }
  }
}

TYPED_TEST(Level2, RankOne) {
  using T = TypeParam;
  for (const auto& [m, n] : matrix_shapes) {
    for (const auto& [incx, incy] : {std::pair{1, 1}, {2, -1}}) {
      for (bool conjugates : {false, true}) {
        if (conjugates && !is_complex<T>) continue;
        const numbers x = this->random_numbers(m), y = this->random_numbers(n);
        const matrix a = this->random_matrix(m, n);
        matrix column(m, 1), row(n, 1);
        column.values = x;
        row.values = y;
        const number alpha = this->random();
        const T by = from<T>(alpha);
        const numbers sa = this->stored(a, m + 1);
        const device_numbers<T> da(sa), dx(this->stored(x, incx)), dy(this->stored(y, incy));
        const matrix expected = sum(alpha, product(column, apply(conjugates ? CUBLAS_OP_C : CUBLAS_OP_T, row)), 1, a);
        cublasStatus_t status = CUBLAS_STATUS_INTERNAL_ERROR;
        if constexpr (is_complex<T>) {
          status = conjugates ? call_gerc(this->handle_, m, n, &by, dx.get(), incx, dy.get(), incy, da.get(), m + 1)
                              : call_geru(this->handle_, m, n, &by, dx.get(), incx, dy.get(), incy, da.get(), m + 1);
        } else {
          status = call_geru(this->handle_, m, n, &by, dx.get(), incx, dy.get(), incy, da.get(), m + 1);
        }
        ASSERT_EQ(status, CUBLAS_STATUS_SUCCESS);
        this->expect_matrix(da, sa, expected, m + 1);
      }
    }
  }
}

// `a` with the update in one triangle; the other triangle is unchanged.
matrix updated(const matrix& a, const matrix& update, cublasFillMode_t uplo, bool is_hermitian) {
  matrix result = a;
  for (int r = 0; r < a.rows; ++r) {
    for (int c = 0; c < a.columns; ++c) {
      if (!is_in(uplo, r, c)) continue;
      result.at(r, c) += update.at(r, c);
      if (is_hermitian && r == c) result.at(r, c) = result.at(r, c).real();
    }
  }
  return result;
}

TYPED_TEST(Level2, SymmetricAndHermitianUpdates) {
  using T = TypeParam;
  for (int n : {1, 6, 35}) {
    for (cublasFillMode_t uplo : triangles) {
      for (int inc : {1, -2}) {
        const matrix a = this->random_matrix(n, n);
        matrix x(n, 1), y(n, 1);
        x.values = this->random_numbers(n);
        y.values = this->random_numbers(n);
        const number alpha = number(2, is_complex<T> ? -1 : 0);
        const T by = from<T>(alpha);
        const real_of<T> real = 2;
        const int ld = n + 1;
        const numbers sa = this->stored(a, ld);
        const device_numbers<T> dx(this->stored(x.values, inc)), dy(this->stored(y.values, inc));
        const auto cross = [&](cublasOperation_t op) {
          const matrix first = product(x, apply(op, y)), second = product(y, apply(op, x));
          return sum(alpha, first, op == CUBLAS_OP_C ? std::conj(alpha) : alpha, second);
        };
        const auto square = [&](cublasOperation_t op, number factor) {
          const matrix all = product(x, apply(op, x));
          return sum(factor, all, 0, all);
        };
        const device_numbers<T> by_syr(sa), by_syr2(sa), by_her(sa), by_her2(sa);
        ASSERT_EQ(call_syr(this->handle_, uplo, n, &by, dx.get(), inc, by_syr.get(), ld), CUBLAS_STATUS_SUCCESS);
        this->expect_matrix(by_syr, sa, updated(a, square(CUBLAS_OP_T, alpha), uplo, false), ld);
        ASSERT_EQ(call_syr2(this->handle_, uplo, n, &by, dx.get(), inc, dy.get(), inc, by_syr2.get(), ld),
                  CUBLAS_STATUS_SUCCESS);
        this->expect_matrix(by_syr2, sa, updated(a, cross(CUBLAS_OP_T), uplo, false), ld);
        const matrix her = updated(a, square(CUBLAS_OP_C, 2), uplo, is_complex<T>);
        const matrix her2 = updated(a, cross(CUBLAS_OP_C), uplo, is_complex<T>);
        if constexpr (is_complex<T>) {
          ASSERT_EQ(call_her(this->handle_, uplo, n, &real, dx.get(), inc, by_her.get(), ld), CUBLAS_STATUS_SUCCESS);
          this->expect_matrix(by_her, sa, her, ld);
          ASSERT_EQ(call_her2(this->handle_, uplo, n, &by, dx.get(), inc, dy.get(), inc, by_her2.get(), ld),
                    CUBLAS_STATUS_SUCCESS);
          this->expect_matrix(by_her2, sa, her2, ld);
        }
        const device_numbers<T> by_hpr(this->packed(a, uplo)), by_hpr2(this->packed(a, uplo));
        ASSERT_EQ(call_hpr(this->handle_, uplo, n, &real, dx.get(), inc, by_hpr.get()), CUBLAS_STATUS_SUCCESS);
        this->expect_numbers(by_hpr, this->packed(her, uplo));
        ASSERT_EQ(call_hpr2(this->handle_, uplo, n, &by, dx.get(), inc, dy.get(), inc, by_hpr2.get()),
                  CUBLAS_STATUS_SUCCESS);
        this->expect_numbers(by_hpr2, this->packed(her2, uplo));
      }
    }
  }
}

}  // namespace
