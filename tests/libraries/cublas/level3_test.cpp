// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Level 3 of cuBLAS and its batches: each routine, over all operations, sides, triangles and diagonals.
#include <cmath>

#include "cublas_test.hpp"

namespace {

using namespace cublas_test;
using namespace cublas_test::index32;

template <class T>
class Level3 : public CublasTest<T> {
 protected:
  // A matrix of NaN where beta is 0, because the routine must not read it.
  matrix old_result(int m, int n, number beta) {
    matrix c = this->random_matrix(m, n);
    if (beta == number(0)) c.values.assign(c.values.size(), std::nan(""));
    return c;
  }
  static matrix expected(number alpha, const matrix& by, number beta, const matrix& old) {
    matrix zeros(old.rows, old.columns);
    return sum(alpha, by, beta, beta == number(0) ? zeros : old);
  }
  // The elements of `all` in the triangle, and those of `old` elsewhere.
  static matrix triangle_in(matrix old, const matrix& all, cublasFillMode_t uplo, bool is_hermitian) {
    for (int r = 0; r < old.rows; ++r) {
      for (int c = 0; c < old.columns; ++c) {
        if (is_in(uplo, r, c)) old.at(r, c) = is_hermitian && r == c ? number(all.at(r, c).real()) : all.at(r, c);
      }
    }
    return old;
  }
};
TYPED_TEST_SUITE(Level3, all_types);

constexpr int shapes[][3] = {{1, 1, 1}, {7, 5, 3}, {5, 9, 33}, {33, 31, 2}};

TYPED_TEST(Level3, Gemm) {
  using T = TypeParam;
  for (const auto& [m, n, k] : shapes) {
    for (cublasOperation_t opa : operations) {
      for (cublasOperation_t opb : operations) {
        for (number beta : {number(0), this->random()}) {
          const matrix a = opa == CUBLAS_OP_N ? this->random_matrix(m, k) : this->random_matrix(k, m);
          const matrix b = opb == CUBLAS_OP_N ? this->random_matrix(k, n) : this->random_matrix(n, k);
          const matrix c = this->old_result(m, n, beta);
          const number alpha = this->random();
          const T by_a = from<T>(alpha), by_b = from<T>(beta);
          const numbers sc = this->stored(c, m + 3);
          const device_numbers<T> da(this->stored(a, a.rows + 1)), db(this->stored(b, b.rows + 2)), dc(sc);
          ASSERT_EQ(call_gemm(this->handle_, opa, opb, m, n, k, &by_a, da.get(), a.rows + 1, db.get(), b.rows + 2,
                              &by_b, dc.get(), m + 3),
                    CUBLAS_STATUS_SUCCESS);
          this->expect_matrix(dc, sc, this->expected(alpha, product(apply(opa, a), apply(opb, b)), beta, c), m + 3);
        }
      }
    }
  }
}

TYPED_TEST(Level3, GemmWithoutTermsScales) {
  using T = TypeParam;
  const matrix c = this->random_matrix(4, 3);
  const T one = from<T>(1), three = from<T>(3), zero{};
  const device_numbers<T> by_k(c.values), by_alpha(c.values);
  ASSERT_EQ(call_gemm(this->handle_, CUBLAS_OP_N, CUBLAS_OP_N, 4, 3, 0, &one, by_k.get(), 4, by_k.get(), 1, &three,
                      by_k.get(), 4),
            CUBLAS_STATUS_SUCCESS);
  this->expect_numbers(by_k, sum(3, c, 0, c).values);
  // Where alpha is 0, A and B are not read.
  ASSERT_EQ(call_gemm(this->handle_, CUBLAS_OP_N, CUBLAS_OP_N, 4, 3, 5, &zero, static_cast<T*>(nullptr), 4,
                      static_cast<T*>(nullptr), 5, &three, by_alpha.get(), 4),
            CUBLAS_STATUS_SUCCESS);
  this->expect_numbers(by_alpha, sum(3, c, 0, c).values);
}

TYPED_TEST(Level3, SymmetricProducts) {
  using T = TypeParam;
  for (const auto& [m, n, k] : shapes) {
    for (cublasSideMode_t side : sides) {
      for (cublasFillMode_t uplo : triangles) {
        for (bool is_hermitian : {false, true}) {
          if (is_hermitian && !is_complex<T>) continue;
          const int order = side == CUBLAS_SIDE_LEFT ? m : n;
          const matrix a = this->random_matrix(order, order), b = this->random_matrix(m, n);
          const number alpha = this->random(), beta = this->random();
          const matrix c = this->old_result(m, n, beta), full = mirrored(a, uplo, is_hermitian);
          const T by_a = from<T>(alpha), by_b = from<T>(beta);
          const numbers sc = this->stored(c, m + 1);
          const device_numbers<T> da(this->stored(a, order + 2)), db(this->stored(b, m)), dc(sc);
          cublasStatus_t status = CUBLAS_STATUS_INTERNAL_ERROR;
          if constexpr (is_complex<T>) {
            status = is_hermitian ? call_hemm(this->handle_, side, uplo, m, n, &by_a, da.get(), order + 2, db.get(), m,
                                              &by_b, dc.get(), m + 1)
                                  : call_symm(this->handle_, side, uplo, m, n, &by_a, da.get(), order + 2, db.get(), m,
                                              &by_b, dc.get(), m + 1);
          } else {
            status = call_symm(this->handle_, side, uplo, m, n, &by_a, da.get(), order + 2, db.get(), m, &by_b,
                               dc.get(), m + 1);
          }
          ASSERT_EQ(status, CUBLAS_STATUS_SUCCESS);
          const matrix by = side == CUBLAS_SIDE_LEFT ? product(full, b) : product(b, full);
          this->expect_matrix(dc, sc, this->expected(alpha, by, beta, c), m + 1);
        }
      }
    }
  }
}

TYPED_TEST(Level3, RankUpdates) {
  using T = TypeParam;
  for (const auto& [n, unused, k] : shapes) {
    for (cublasFillMode_t uplo : triangles) {
      for (bool transposes : {false, true}) {
        for (number beta : {number(0), number(2)}) {
          const matrix a = transposes ? this->random_matrix(k, n) : this->random_matrix(n, k);
          const matrix b = transposes ? this->random_matrix(k, n) : this->random_matrix(n, k);
          const matrix c = this->old_result(n, n, beta);
          const number alpha(2, is_complex<T> ? -1 : 0);
          const T by_a = from<T>(alpha), by_b = from<T>(beta);
          const real_of<T> real_a = 2, real_b = static_cast<real_of<T>>(beta.real());
          const int ld = a.rows + 1, ldc = n + 2;
          const numbers sc = this->stored(c, ldc);
          const device_numbers<T> da(this->stored(a, ld)), db(this->stored(b, ld));
          // op(first) * op(second)', with the plain or the conjugate transpose
          const auto square = [&](const matrix& first, const matrix& second, cublasOperation_t turned) {
            return transposes ? product(apply(turned, first), second) : product(first, apply(turned, second));
          };
          const auto expect = [&](const device_numbers<T>& dc, const matrix& by, bool is_hermitian) {
            const matrix all = this->expected(1, by, beta, c);
            this->expect_matrix(dc, sc, this->triangle_in(c, all, uplo, is_hermitian), ldc);
          };
          const cublasOperation_t plain = transposes ? CUBLAS_OP_T : CUBLAS_OP_N;
          const auto scaled = [](number factor, const matrix& m) { return sum(factor, m, 0, m); };
          if (beta == number(0)) {
            // The triangle that is not computed holds NaN, which no comparison accepts.
            const device_numbers<T> dc(sc);
            ASSERT_EQ(call_syrk(this->handle_, uplo, plain, n, k, &by_a, da.get(), ld, &by_b, dc.get(), ldc),
                      CUBLAS_STATUS_SUCCESS);
            const numbers found = dc.read();
            const matrix by = scaled(alpha, square(a, a, CUBLAS_OP_T));
            for (int r = 0; r < n; ++r) {
              for (int column = 0; column < n; ++column) {
                const number value = found[static_cast<size_t>(r + column * ldc)];
                if (is_in(uplo, r, column)) {
                  ASSERT_EQ(value, by.at(r, column));
                } else {
                  ASSERT_TRUE(std::isnan(value.real()));
                }
              }
            }
            continue;
          }
          const device_numbers<T> syrk(sc), syr2k(sc), syrkx(sc);
          ASSERT_EQ(call_syrk(this->handle_, uplo, plain, n, k, &by_a, da.get(), ld, &by_b, syrk.get(), ldc),
                    CUBLAS_STATUS_SUCCESS);
          expect(syrk, scaled(alpha, square(a, a, CUBLAS_OP_T)), false);
          ASSERT_EQ(
              call_syr2k(this->handle_, uplo, plain, n, k, &by_a, da.get(), ld, db.get(), ld, &by_b, syr2k.get(), ldc),
              CUBLAS_STATUS_SUCCESS);
          expect(syr2k, sum(alpha, square(a, b, CUBLAS_OP_T), alpha, square(b, a, CUBLAS_OP_T)), false);
          ASSERT_EQ(
              call_syrkx(this->handle_, uplo, plain, n, k, &by_a, da.get(), ld, db.get(), ld, &by_b, syrkx.get(), ldc),
              CUBLAS_STATUS_SUCCESS);
          expect(syrkx, scaled(alpha, square(a, b, CUBLAS_OP_T)), false);
          if constexpr (is_complex<T>) {
            const cublasOperation_t op = transposes ? CUBLAS_OP_C : CUBLAS_OP_N;
            const device_numbers<T> herk(sc), her2k(sc), herkx(sc);
            ASSERT_EQ(call_herk(this->handle_, uplo, op, n, k, &real_a, da.get(), ld, &real_b, herk.get(), ldc),
                      CUBLAS_STATUS_SUCCESS);
            expect(herk, scaled(2, square(a, a, CUBLAS_OP_C)), true);
            ASSERT_EQ(
                call_her2k(this->handle_, uplo, op, n, k, &by_a, da.get(), ld, db.get(), ld, &real_b, her2k.get(), ldc),
                CUBLAS_STATUS_SUCCESS);
            expect(her2k, sum(alpha, square(a, b, CUBLAS_OP_C), std::conj(alpha), square(b, a, CUBLAS_OP_C)), true);
            ASSERT_EQ(
                call_herkx(this->handle_, uplo, op, n, k, &by_a, da.get(), ld, db.get(), ld, &real_b, herkx.get(), ldc),
                CUBLAS_STATUS_SUCCESS);
            expect(herkx, scaled(alpha, square(a, b, CUBLAS_OP_C)), true);
          }
        }
      }
    }
  }
}

TYPED_TEST(Level3, TriangularProductsAndSolutions) {
  using T = TypeParam;
  const int m = 9, n = 6;
  for (cublasSideMode_t side : sides) {
    for (cublasFillMode_t uplo : triangles) {
      for (cublasOperation_t op : operations) {
        for (cublasDiagType_t diag : diagonals) {
          const int order = side == CUBLAS_SIDE_LEFT ? m : n, lda = order + 1, ld = m + 2;
          matrix a = this->random_matrix(order, order);
          for (int i = 0; i < order; ++i) a.at(i, i) = 1;
          const matrix b = this->random_matrix(m, n), turned = apply(op, triangle_of(a, uplo, diag));
          const number alpha = number(2, is_complex<T> ? 1 : 0);
          const matrix by = side == CUBLAS_SIDE_LEFT ? product(turned, b) : product(b, turned);
          const matrix expected = sum(alpha, by, 0, by);
          const T by_a = from<T>(alpha), inverse = from<T>(1.0 / alpha);
          const numbers sb = this->stored(b, m + 1), sc = this->stored(b, ld);
          const device_numbers<T> da(this->stored(a, lda)), db(sb), dc(sc), in_place(sb);
          ASSERT_EQ(
              call_trmm(this->handle_, side, uplo, op, diag, m, n, &by_a, da.get(), lda, db.get(), m + 1, dc.get(), ld),
              CUBLAS_STATUS_SUCCESS);
          this->expect_matrix(dc, sc, expected, ld);
          this->expect_matrix(db, sb, b, m + 1);
          ASSERT_EQ(call_trmm(this->handle_, side, uplo, op, diag, m, n, &by_a, da.get(), lda, in_place.get(), m + 1,
                              in_place.get(), m + 1),
                    CUBLAS_STATUS_SUCCESS);
          this->expect_matrix(in_place, sb, expected, m + 1);
          ASSERT_EQ(call_trsm(this->handle_, side, uplo, op, diag, m, n, &inverse, da.get(), lda, dc.get(), ld),
                    CUBLAS_STATUS_SUCCESS);
          this->expect_matrix(dc, sc, b, ld, 1e-2);
          const device_array<const T*> left({da.get(), da.get()});
          const device_numbers<T> first(this->stored(expected, ld)), second(this->stored(expected, ld));
          const device_array<T*> right({first.get(), second.get()});
          ASSERT_EQ(call_trsm_batched(this->handle_, side, uplo, op, diag, m, n, &inverse, left.get(), lda, right.get(),
                                      ld, 2),
                    CUBLAS_STATUS_SUCCESS);
          const numbers found = second.read();
          for (int r = 0; r < m; ++r) {
            for (int c = 0; c < n; ++c) {
              ASSERT_LE(std::abs(found[static_cast<size_t>(r + c * ld)] - b.at(r, c)), 1e-2);
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(Level3, GeamAndDgmm) {
  using T = TypeParam;
  const int m = 7, n = 5;
  for (cublasOperation_t opa : operations) {
    for (cublasOperation_t opb : operations) {
      const matrix a = opa == CUBLAS_OP_N ? this->random_matrix(m, n) : this->random_matrix(n, m);
      const matrix b = opb == CUBLAS_OP_N ? this->random_matrix(m, n) : this->random_matrix(n, m);
      const matrix old = this->random_matrix(m, n);
      const number alpha = this->random(), beta = this->random();
      const T by_a = from<T>(alpha), by_b = from<T>(beta);
      const numbers sc = this->stored(old, m + 1);
      const device_numbers<T> da(this->stored(a, a.rows + 1)), db(this->stored(b, b.rows)), dc(sc);
      ASSERT_EQ(call_geam(this->handle_, opa, opb, m, n, &by_a, da.get(), a.rows + 1, &by_b, db.get(), b.rows, dc.get(),
                          m + 1),
                CUBLAS_STATUS_SUCCESS);
      this->expect_matrix(dc, sc, sum(alpha, apply(opa, a), beta, apply(opb, b)), m + 1);
    }
  }
  for (cublasSideMode_t side : sides) {
    for (int inc : {1, 2, -1}) {
      const matrix a = this->random_matrix(m, n);
      const numbers x = this->random_numbers(side == CUBLAS_SIDE_LEFT ? m : n);
      matrix expected = a;
      for (int r = 0; r < m; ++r) {
        for (int c = 0; c < n; ++c) expected.at(r, c) *= x[static_cast<size_t>(side == CUBLAS_SIDE_LEFT ? r : c)];
      }
      const numbers sa = this->stored(a, m);
      const device_numbers<T> da(sa), dx(this->stored(x, inc));
      ASSERT_EQ(call_dgmm(this->handle_, side, m, n, da.get(), m, dx.get(), inc, da.get(), m), CUBLAS_STATUS_SUCCESS);
      this->expect_matrix(da, sa, expected, m);
    }
  }
}

TYPED_TEST(Level3, Batches) {
  using T = TypeParam;
  const int m = 5, n = 4, k = 3, count = 3;
  const matrix a = this->random_matrix(m, k * count), b = this->random_matrix(k, n * count);
  const matrix c = this->random_matrix(m, n * count), x = this->random_matrix(k, count),
               y = this->random_matrix(m, count);
  const number alpha = this->random(), beta = this->random();
  const T by_a = from<T>(alpha), by_b = from<T>(beta);
  const auto part = [](const matrix& whole, int columns, int i) {
    matrix some(whole.rows, columns);
    for (int r = 0; r < whole.rows; ++r) {
      for (int column = 0; column < columns; ++column) some.at(r, column) = whole.at(r, i * columns + column);
    }
    return some;
  };
  matrix products(m, 0), vectors(m, 0);
  for (int i = 0; i < count; ++i) {
    const matrix one = sum(alpha, product(part(a, k, i), part(b, n, i)), beta, part(c, n, i));
    products.values.insert(products.values.end(), one.values.begin(), one.values.end());
    const matrix vector = sum(alpha, product(part(a, k, i), part(x, 1, i)), beta, part(y, 1, i));
    vectors.values.insert(vectors.values.end(), vector.values.begin(), vector.values.end());
  }
  const device_numbers<T> da(a.values), db(b.values), dc(c.values), ec(c.values), dx(x.values), dy(y.values),
      ey(y.values);
  std::vector<const T*> as, bs, xs;
  std::vector<T*> cs, ys;
  for (int i = 0; i < count; ++i) {
    as.push_back(da.get() + i * m * k);
    bs.push_back(db.get() + i * k * n);
    cs.push_back(dc.get() + i * m * n);
    xs.push_back(dx.get() + i * k);
    ys.push_back(dy.get() + i * m);
  }
  const device_array<const T*> pa(as), pb(bs), px(xs);
  const device_array<T*> pc(cs), py(ys);
  ASSERT_EQ(call_gemm_batched(this->handle_, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &by_a, pa.get(), m, pb.get(), k, &by_b,
                              pc.get(), m, count),
            CUBLAS_STATUS_SUCCESS);
  this->expect_numbers(dc, products.values);
  ASSERT_EQ(call_gemm_strided(this->handle_, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &by_a, da.get(), m, m * k, db.get(), k,
                              k * n, &by_b, ec.get(), m, m * n, count),
            CUBLAS_STATUS_SUCCESS);
  this->expect_numbers(ec, products.values);
  ASSERT_EQ(
      call_gemv_batched(this->handle_, CUBLAS_OP_N, m, k, &by_a, pa.get(), m, px.get(), 1, &by_b, py.get(), 1, count),
      CUBLAS_STATUS_SUCCESS);
  this->expect_numbers(dy, vectors.values);
  ASSERT_EQ(call_gemv_strided(this->handle_, CUBLAS_OP_N, m, k, &by_a, da.get(), m, m * k, dx.get(), 1, k, &by_b,
                              ey.get(), 1, m, count),
            CUBLAS_STATUS_SUCCESS);
  this->expect_numbers(ey, vectors.values);
}

TYPED_TEST(Level3, PackedTriangles) {
  using T = TypeParam;
  for (int n : {1, 7}) {
    for (cublasFillMode_t uplo : triangles) {
      const matrix a = this->random_matrix(n, n), old = this->random_matrix(n, n);
      numbers packed;
      for (int c = 0; c < n; ++c) {
        for (int r = 0; r < n; ++r) {
          if (is_in(uplo, r, c)) packed.push_back(a.at(r, c));
        }
      }
      const numbers sold = this->stored(old, n + 1);
      const device_numbers<T> da(this->stored(a, n + 1)), dp(this->random_numbers(static_cast<int>(packed.size()))),
          db(sold);
      ASSERT_EQ(call_trttp(this->handle_, uplo, n, da.get(), n + 1, dp.get()), CUBLAS_STATUS_SUCCESS);
      this->expect_numbers(dp, packed);
      ASSERT_EQ(call_tpttr(this->handle_, uplo, n, dp.get(), db.get(), n + 1), CUBLAS_STATUS_SUCCESS);
      this->expect_matrix(db, sold, this->triangle_in(old, a, uplo, false), n + 1);
    }
  }
}

}  // namespace
