// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU, QR and Bunch-Kaufman factors: their product is the matrix, and solutions solve the system.
#include <utility>

#include "cusolver_test.hpp"

namespace {

using namespace cusolver_test;

template <class T>
class Factors : public CusolverTest<T> {
 protected:
  // P * A, where P exchanges each row with its pivot row.
  template <class Pivots>
  static matrix exchanged(matrix a, const Pivots& pivots) {
    for (size_t i = 0; i < pivots.size(); ++i) {
      for (int c = 0; c < a.columns; ++c)
        std::swap(a.at(static_cast<int>(i), c), a.at(static_cast<int>(pivots[i]) - 1, c));
    }
    return a;
  }
  static matrix product_of_lu(const matrix& lu) {
    const int rank = std::min(lu.rows, lu.columns);
    matrix l(lu.rows, rank), u(rank, lu.columns);
    for (int r = 0; r < lu.rows; ++r) {
      for (int c = 0; c < lu.columns; ++c) {
        if (r > c) l.at(r, c) = lu.at(r, c);
        if (r <= c) u.at(r, c) = lu.at(r, c);
      }
      if (r < rank) l.at(r, r) = 1;
    }
    return product(l, u);
  }
  void factor(int m, int n, const device_numbers<T>& a, int lda, int* pivots, int expected = 0) {
    int lwork = -1;
    ASSERT_EQ(call_getrf_size(T())(this->handle_, m, n, a.get(), lda, &lwork), CUSOLVER_STATUS_SUCCESS);
    const device_numbers<T> work(numbers(static_cast<size_t>(lwork)));
    const device_array<int> info({-7});
    ASSERT_EQ(call_getrf(T())(this->handle_, m, n, a.get(), lda, work.get(), pivots, info.get()),
              CUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(info.read(), std::vector<int>{expected});
  }
  // Computes the reflectors of a matrix and their scalar factors, in device memory.
  void reflect(int m, int n, const device_numbers<T>& a, int lda, const device_numbers<T>& tau) {
    this->in_work([&](int* lwork) { return call_geqrf_size(T())(this->handle_, m, n, a.get(), lda, lwork); },
                  [&](T* work, int lwork, int* info) {
                    return call_geqrf(T())(this->handle_, m, n, a.get(), lda, tau.get(), work, lwork, info);
                  });
  }
  // The first `columns` columns of Q, from the reflectors that are stored in `reflectors`.
  matrix q_of(const matrix& reflectors, int columns, const device_numbers<T>& tau) {
    const int m = reflectors.rows, k = std::min(m, reflectors.columns), lda = m + 1;
    matrix wide(m, columns);
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c < std::min(columns, k); ++c) wide.at(r, c) = reflectors.at(r, c);
    }
    const device_numbers<T> q(this->stored(wide, lda));
    this->in_work(
        [&](int* lwork) {
          return call_orgqr_size(T())(this->handle_, m, columns, std::min(k, columns), q.get(), lda, tau.get(), lwork);
        },
        [&](T* work, int lwork, int* info) {
          return call_orgqr(T())(this->handle_, m, columns, std::min(k, columns), q.get(), lda, tau.get(), work, lwork,
                                 info);
        });
    return this->read(q, m, columns, lda);
  }
};
TYPED_TEST_SUITE(Factors, all_types);

TYPED_TEST(Factors, LuOfAllShapes) {
  using T = TypeParam;
  const std::pair<int, int> shapes[] = {{1, 1}, {7, 5}, {5, 7}, {33, 33}, {70, 41}, {41, 70}};
  for (const auto& [m, n] : shapes) {
    const int lda = m + 2, rank = std::min(m, n);
    const matrix a = this->random_matrix(m, n);
    const device_numbers<T> device(this->stored(a, lda));
    const device_array<int> pivots(std::vector<int>(static_cast<size_t>(rank), -1));
    this->factor(m, n, device, lda, pivots.get());
    this->expect_close(this->product_of_lu(this->read(device, m, n, lda)), this->exchanged(a, pivots.read()), rank);

    // Without row exchanges the diagonal must be large.
    const matrix large = sum(1, a, 2 * rank, part(identity(std::max(m, n)), m, n));
    const device_numbers<T> plain(this->stored(large, lda));
    this->factor(m, n, plain, lda, nullptr);
    this->expect_close(this->product_of_lu(this->read(plain, m, n, lda)), large, rank);
  }
}

TYPED_TEST(Factors, LuSolvesWithEachTransposition) {
  using T = TypeParam;
  for (int n : this->sizes) {
    const int lda = n + 2, nrhs = 3, ldb = n + 1;
    for (bool exchanges : {true, false}) {
      const matrix a = sum(1, this->random_matrix(n, n), 2 * n, identity(n)), x = this->random_matrix(n, nrhs);
      const device_numbers<T> device(this->stored(a, lda));
      const device_array<int> pivots(std::vector<int>(static_cast<size_t>(n), -1));
      int* const rows = exchanges ? pivots.get() : nullptr;
      this->factor(n, n, device, lda, rows);
      for (cublasOperation_t op : operations) {
        const device_numbers<T> b(this->stored(product(apply(op, a), x), ldb));
        const device_array<int> info({-7});
        ASSERT_EQ(call_getrs(T())(this->handle_, op, n, nrhs, device.get(), lda, rows, b.get(), ldb, info.get()),
                  CUSOLVER_STATUS_SUCCESS);
        EXPECT_EQ(info.read(), std::vector<int>{0});
        this->expect_close(this->read(b, n, nrhs, ldb), x, 10);
      }
    }
  }
}

TYPED_TEST(Factors, SingularMatricesAreNamed) {
  using T = TypeParam;
  for (int n : {3, 40}) {
    matrix a = sum(1, this->random_matrix(n, n), 2 * n, identity(n));
    for (int r = 0; r < n; ++r) a.at(r, n - 1) = 0;
    const device_array<int> pivots(std::vector<int>(static_cast<size_t>(n), -1));
    for (int* rows : {pivots.get(), static_cast<int*>(nullptr)}) {
      const device_numbers<T> device(this->stored(a, n));
      this->factor(n, n, device, n, rows, n);
    }
  }
  const device_numbers<T> zeros(numbers(9));
  this->factor(3, 3, zeros, 3, nullptr, 1);
  this->factor(0, 0, zeros, 1, nullptr, 0);
}

TYPED_TEST(Factors, GenericLuHasWidePivots) {
  using T = TypeParam;
  constexpr cudaDataType type = type_of<T>();
  const int n = 21, lda = 22, nrhs = 2;
  const matrix a = this->random_matrix(n, n), x = this->random_matrix(n, nrhs);
  for (bool exchanges : {true, false}) {
    const matrix used = exchanges ? a : sum(1, a, 2 * n, identity(n));
    const device_numbers<T> device(this->stored(used, lda)), b(this->stored(product(used, x), n));
    const device_array<int64_t> pivots(std::vector<int64_t>(n, -1));
    int64_t* const rows = exchanges ? pivots.get() : nullptr;
    this->in_bytes(
        [&](size_t* bytes, size_t* host) {
          return cusolverDnXgetrf_bufferSize(this->handle_, nullptr, n, n, type, device.get(), lda, type, bytes, host);
        },
        [&](void* work, size_t bytes, int* info) {
          return cusolverDnXgetrf(this->handle_, nullptr, n, n, type, device.get(), lda, rows, type, work, bytes,
                                  nullptr, 0, info);
        });
    const matrix lu = this->read(device, n, n, lda);
    this->expect_close(this->product_of_lu(lu), exchanges ? this->exchanged(a, pivots.read()) : used, n);
    const device_array<int> info({-7});
    ASSERT_EQ(cusolverDnXgetrs(this->handle_, nullptr, CUBLAS_OP_N, n, nrhs, type, device.get(), lda, rows, type,
                               b.get(), n, info.get()),
              CUSOLVER_STATUS_SUCCESS);
    this->expect_close(this->read(b, n, nrhs, n), x, 100 * n);
  }
}

TYPED_TEST(Factors, LaswpExchangesRows) {
  using T = TypeParam;
  const int m = 9, n = 4, lda = 10;
  const matrix a = this->random_matrix(m, n);
  const device_array<int> pivots({0, 5, 2, 9, 4});
  const device_numbers<T> device(this->stored(a, lda));
  ASSERT_EQ(call_laswp(T())(this->handle_, n, device.get(), lda, 2, 4, pivots.get(), 1), CUSOLVER_STATUS_SUCCESS);
  matrix expected = a;
  for (const auto& [row, other] : {std::pair{1, 4}, {2, 1}, {3, 8}}) {
    for (int c = 0; c < n; ++c) std::swap(expected.at(row, c), expected.at(other, c));
  }
  this->expect_close(this->read(device, m, n, lda), expected, 0);
  ASSERT_EQ(call_laswp(T())(this->handle_, n, device.get(), lda, 2, 4, pivots.get(), -1), CUSOLVER_STATUS_SUCCESS);
  this->expect_close(this->read(device, m, n, lda), a, 0);
  EXPECT_EQ(call_laswp(T())(this->handle_, n, device.get(), lda, 0, 4, pivots.get(), 1), CUSOLVER_STATUS_INVALID_VALUE);
}

TYPED_TEST(Factors, QrOfAllShapes) {
  using T = TypeParam;
  const std::pair<int, int> shapes[] = {{1, 1}, {9, 5}, {5, 9}, {33, 33}};
  for (const auto& [m, n] : shapes) {
    const int lda = m + 2, rank = std::min(m, n);
    const matrix a = this->random_matrix(m, n);
    const device_numbers<T> device(this->stored(a, lda)), tau(this->empty(rank, 1));
    this->reflect(m, n, device, lda, tau);
    const matrix qr = this->read(device, m, n, lda);
    const matrix q = this->q_of(qr, rank, tau);
    this->expect_orthonormal(q);
    matrix r(rank, n);
    for (int row = 0; row < rank; ++row) {
      for (int column = row; column < n; ++column) r.at(row, column) = qr.at(row, column);
    }
    this->expect_close(product(q, r), a, m);
  }
}

TYPED_TEST(Factors, OrmqrMultipliesByQ) {
  using T = TypeParam;
  const int order = 19, k = 7, lda = 21, other = 6;
  const device_numbers<T> reflectors(this->stored(this->random_matrix(order, k), lda)), tau(this->empty(k, 1));
  this->reflect(order, k, reflectors, lda, tau);
  const matrix q = this->q_of(this->read(reflectors, order, k, lda), order, tau);
  this->expect_orthonormal(q);
  for (cublasSideMode_t side : sides) {
    for (cublasOperation_t op : operations) {
      const bool left = side == CUBLAS_SIDE_LEFT;
      const int m = left ? order : other, n = left ? other : order, ldc = m + 1;
      const matrix c = this->random_matrix(m, n);
      const device_numbers<T> device(this->stored(c, ldc));
      if (is_complex<T> && op == CUBLAS_OP_T) {
        int lwork = 0;
        EXPECT_EQ(call_ormqr_size(T())(this->handle_, side, op, m, n, k, reflectors.get(), lda, tau.get(), device.get(),
                                       ldc, &lwork),
                  CUSOLVER_STATUS_INVALID_VALUE);
        continue;
      }
      this->in_work(
          [&](int* lwork) {
            return call_ormqr_size(T())(this->handle_, side, op, m, n, k, reflectors.get(), lda, tau.get(),
                                        device.get(), ldc, lwork);
          },
          [&](T* work, int lwork, int* info) {
            return call_ormqr(T())(this->handle_, side, op, m, n, k, reflectors.get(), lda, tau.get(), device.get(),
                                   ldc, work, lwork, info);
          });
      const matrix by = apply(op, q);
      this->expect_close(this->read(device, m, n, ldc), left ? product(by, c) : product(c, by), order);
    }
  }
}

// H = I - V * T * V^H for the triangular factor T of reflectors.
TYPED_TEST(Factors, XgeqrfAndXlarftMakeABlockReflector) {
  using T = TypeParam;
  constexpr cudaDataType type = type_of<T>();
  const int m = 12, n = 5, lda = 13, ldt = 6;
  const device_numbers<T> device(this->stored(this->random_matrix(m, n), lda)), tau(this->empty(n, 1));
  this->in_bytes(
      [&](size_t* bytes, size_t* host) {
        return cusolverDnXgeqrf_bufferSize(this->handle_, nullptr, m, n, type, device.get(), lda, type, tau.get(), type,
                                           bytes, host);
      },
      [&](void* work, size_t bytes, int* info) {
        return cusolverDnXgeqrf(this->handle_, nullptr, m, n, type, device.get(), lda, type, tau.get(), type, work,
                                bytes, nullptr, 0, info);
      });
  const matrix qr = this->read(device, m, n, lda);
  const matrix q = this->q_of(qr, m, tau);
  matrix v(m, n);
  for (int r = 0; r < m; ++r) {
    for (int c = 0; c < std::min(r + 1, n); ++c) v.at(r, c) = r == c ? number(1) : qr.at(r, c);
  }
  const device_numbers<T> factor(this->stored(matrix(n, n), ldt));
  const auto larft = [&](cusolverStorevMode_t storev) {
    size_t bytes = 0, host = 0;
    const cusolverStatus_t status =
        cusolverDnXlarft_bufferSize(this->handle_, nullptr, CUBLAS_DIRECT_FORWARD, storev, m, n, type, device.get(),
                                    lda, type, tau.get(), type, factor.get(), ldt, type, &bytes, &host);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    const device_array<char> work(std::vector<char>(bytes, 0));
    return cusolverDnXlarft(this->handle_, nullptr, CUBLAS_DIRECT_FORWARD, storev, m, n, type, device.get(), lda, type,
                            tau.get(), type, factor.get(), ldt, type, work.get(), bytes, nullptr, 0);
  };
  ASSERT_EQ(larft(CUBLAS_STOREV_COLUMNWISE), CUSOLVER_STATUS_SUCCESS);
  const matrix t = triangle_of(this->read(factor, n, n, ldt), CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
  this->expect_close(sum(1, identity(m), -1, product(product(v, t), adjoint(v))), q, m);
  EXPECT_EQ(larft(CUBLAS_STOREV_ROWWISE), CUSOLVER_STATUS_NOT_SUPPORTED);
}

TYPED_TEST(Factors, IndefiniteMatricesSolveAndInvert) {
  using T = TypeParam;
  constexpr cudaDataType type = type_of<T>();
  for (int n : this->sizes) {
    for (cublasFillMode_t uplo : triangles) {
      for (bool exchanges : {true, false}) {
        const int lda = n + 2, ldb = n + 1, nrhs = 2;
        matrix a = this->rounded(this->random_matrix(n, n));
        if (!exchanges) a = this->rounded(sum(1, a, 3 * n, identity(n)));
        const matrix whole = mirrored(a, uplo, false), x = this->random_matrix(n, nrhs);
        const device_numbers<T> device(this->stored(a, lda)), b(this->stored(product(whole, x), ldb));
        const device_array<int> pivots(std::vector<int>(static_cast<size_t>(n), 0));
        int* const rows = exchanges ? pivots.get() : nullptr;
        this->in_work([&](int* lwork) { return call_sytrf_size(T())(this->handle_, n, device.get(), lda, lwork); },
                      [&](T* work, int lwork, int* info) {
                        return call_sytrf(T())(this->handle_, uplo, n, device.get(), lda, rows, work, lwork, info);
                      });
        if (!exchanges) {
          const matrix found = this->read(device, n, n, lda);
          const matrix f = triangle_of(found, uplo, CUBLAS_DIAG_UNIT);
          matrix d(n, n);
          for (int i = 0; i < n; ++i) d.at(i, i) = found.at(i, i);
          this->expect_close(product(product(f, d), apply(CUBLAS_OP_T, f)), whole, n);
        }
        const std::vector<int> narrow = pivots.read();
        const device_array<int64_t> wide(std::vector<int64_t>(narrow.begin(), narrow.end()));
        const int64_t* const wide_rows = exchanges ? wide.get() : nullptr;
        this->in_bytes(
            [&](size_t* bytes, size_t* host) {
              return cusolverDnXsytrs_bufferSize(this->handle_, uplo, n, nrhs, type, device.get(), lda, wide_rows, type,
                                                 b.get(), ldb, bytes, host);
            },
            [&](void* work, size_t bytes, int* info) {
              return cusolverDnXsytrs(this->handle_, uplo, n, nrhs, type, device.get(), lda, wide_rows, type, b.get(),
                                      ldb, work, bytes, nullptr, 0, info);
            });
        const double scale = exchanges ? 200 : 10;  // exchanges: a random matrix has a large condition
        this->expect_close(this->read(b, n, nrhs, ldb), x, scale);
        this->in_work(
            [&](int* lwork) { return call_sytri_size(T())(this->handle_, uplo, n, device.get(), lda, rows, lwork); },
            [&](T* work, int lwork, int* info) {
              return call_sytri(T())(this->handle_, uplo, n, device.get(), lda, rows, work, lwork, info);
            });
        this->expect_close(product(mirrored(this->read(device, n, n, lda), uplo, false), whole), identity(n), scale);
      }
    }
  }
  const device_numbers<T> zeros(numbers(4));
  this->in_work([&](int* lwork) { return call_sytrf_size(T())(this->handle_, 2, zeros.get(), 2, lwork); },
                [&](T* work, int lwork, int* info) {
                  return call_sytrf(T())(this->handle_, CUBLAS_FILL_MODE_UPPER, 2, zeros.get(), 2, nullptr, work, lwork,
                                         info);
                },
                {2});
}

}  // namespace
