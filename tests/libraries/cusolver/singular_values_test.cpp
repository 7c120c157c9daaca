// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Singular values: A = U * S * V^H, and U and V are unitary. Reductions to bidiagonal and tridiagonal matrices.
#include <cmath>
#include <functional>

#include "cusolver_test.hpp"

namespace {

using namespace cusolver_test;

template <class T>
class SingularValues : public CusolverTest<T> {
 protected:
  using R = real_of<T>;

  static device_array<R> reals(int n) { return device_array<R>(std::vector<R>(static_cast<size_t>(n) + 1, R(-55))); }
  static std::vector<R> first(const device_array<R>& values, int n, int from = 0) {
    const std::vector<R> found = values.read();
    return {found.begin() + from, found.begin() + from + n};
  }
  void expect_descending(const std::vector<R>& s) {
    EXPECT_TRUE(std::is_sorted(s.begin(), s.end(), std::greater<>()));
    EXPECT_GE(s.back(), 0);
  }
  void expect_decomposed(const matrix& a, const matrix& u, const std::vector<R>& s, const matrix& v) {
    this->expect_orthonormal(u);
    this->expect_orthonormal(v);
    this->expect_descending(s);
    this->expect_close(product(product(u, diagonal(u.columns, v.columns, s)), adjoint(v)), a, a.rows);
  }
};
TYPED_TEST_SUITE(SingularValues, all_types);

TYPED_TEST(SingularValues, GesvdWithEachPairOfJobs) {
  using T = TypeParam;
  using R = real_of<T>;
  constexpr cudaDataType type = type_of<T>(), real = type_of<R>();
  const int m = 9, n = 5, lda = 11, ldu = 10, ldvt = 7;
  const matrix a = this->random_matrix(m, n);
  std::vector<R> expected;
  for (signed char jobu : {'A', 'S', 'O', 'N'}) {
    for (signed char jobvt : {'A', 'S', 'O', 'N'}) {
      const auto decompose = [&](bool is_generic) {
        const device_numbers<T> device(this->stored(a, lda)), u(this->empty(ldu, m)), vt(this->empty(ldvt, n));
        const auto s = this->reals(n), rwork = this->reals(n);
        if (jobu == 'O' && jobvt == 'O') {
          const device_array<int> info({0});
          EXPECT_EQ(call_gesvd(T())(this->handle_, jobu, jobvt, m, n, device.get(), lda, s.get(), u.get(), ldu,
                                    vt.get(), ldvt, u.get(), 1000000, rwork.get(), info.get()),
                    CUSOLVER_STATUS_INVALID_VALUE);
          return;
        }
        if (is_generic) {
          this->in_bytes(
              [&](size_t* bytes, size_t* host) {
                return cusolverDnXgesvd_bufferSize(this->handle_, nullptr, jobu, jobvt, m, n, type, device.get(), lda,
                                                   real, s.get(), type, u.get(), ldu, type, vt.get(), ldvt, type, bytes,
                                                   host);
              },
              [&](void* work, size_t bytes, int* info) {
                return cusolverDnXgesvd(this->handle_, nullptr, jobu, jobvt, m, n, type, device.get(), lda, real,
                                        s.get(), type, u.get(), ldu, type, vt.get(), ldvt, type, work, bytes, nullptr,
                                        0, info);
              });
        } else {
          // The work space is sized for the jobs with the most vectors.
          this->in_work([&](int* lwork) { return call_gesvd_size(T())(this->handle_, m, n, lwork); },
                        [&](T* work, int lwork, int* info) {
                          return call_gesvd(T())(this->handle_, jobu, jobvt, m, n, device.get(), lda, s.get(), u.get(),
                                                 ldu, vt.get(), ldvt, work, lwork, rwork.get(), info);
                        },
                        {0}, n * n + m + 1);
        }
        const std::vector<R> values = this->first(s, n);
        if (expected.empty()) expected = values;
        for (size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], this->tolerance * m);
        if (jobu == 'N' || jobvt == 'N') return;
        const int columns = jobu == 'A' ? m : n;
        const matrix left = jobu == 'O' ? this->read(device, m, n, lda) : part(this->read(u, m, m, ldu), m, columns);
        const matrix right = jobvt == 'O' ? part(this->read(device, m, n, lda), n, n) : this->read(vt, n, n, ldvt);
        this->expect_decomposed(a, left, values, adjoint(right));
      };
      decompose(false);
      decompose(true);
    }
  }
  int lwork = 0;
  EXPECT_EQ(call_gesvd_size(T())(this->handle_, 4, 5, &lwork), CUSOLVER_STATUS_INVALID_VALUE);
}

TYPED_TEST(SingularValues, GesvdjAndGesvdpReturnV) {
  using T = TypeParam;
  using R = real_of<T>;
  constexpr cudaDataType type = type_of<T>(), real = type_of<R>();
  gesvdjInfo_t settings = nullptr;
  ASSERT_EQ(cusolverDnCreateGesvdjInfo(&settings), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnXgesvdjSetTolerance(settings, 1e-7), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnXgesvdjSetMaxSweeps(settings, 15), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnXgesvdjSetSortEig(settings, 1), CUSOLVER_STATUS_SUCCESS);
  for (const auto& [m, n] : {std::pair{1, 1}, {9, 5}, {5, 9}, {33, 33}}) {
    const int lda = m + 2, ldu = m + 1, ldv = n + 3, rank = std::min(m, n);
    const matrix a = this->random_matrix(m, n);
    for (int econ : {0, 1}) {
      const int left = econ ? rank : m, right = econ ? rank : n;
      for (cusolverEigMode_t mode : {CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_MODE_NOVECTOR}) {
        const auto check = [&](const device_numbers<T>& u, const device_array<R>& s, const device_numbers<T>& v) {
          this->expect_descending(this->first(s, rank));
          if (mode == CUSOLVER_EIG_MODE_NOVECTOR) return;
          this->expect_decomposed(a, this->read(u, m, left, ldu), this->first(s, rank), this->read(v, n, right, ldv));
        };
        const device_numbers<T> device(this->stored(a, lda)), u(this->empty(ldu, left)), v(this->empty(ldv, right));
        const auto s = this->reals(rank);
        this->in_work(
            [&](int* lwork) {
              return call_gesvdj_size(T())(this->handle_, mode, econ, m, n, device.get(), lda, s.get(), u.get(), ldu,
                                           v.get(), ldv, lwork, settings);
            },
            [&](T* work, int lwork, int* info) {
              return call_gesvdj(T())(this->handle_, mode, econ, m, n, device.get(), lda, s.get(), u.get(), ldu,
                                      v.get(), ldv, work, lwork, info, settings);
            });
        check(u, s, v);
        double residual = -1;
        int sweeps = -1;
        ASSERT_EQ(cusolverDnXgesvdjGetResidual(this->handle_, settings, &residual), CUSOLVER_STATUS_SUCCESS);
        EXPECT_GE(residual, m == 1 ? 0 : std::numeric_limits<double>::min());
        EXPECT_LT(residual, this->tolerance * m);
        ASSERT_EQ(cusolverDnXgesvdjGetSweeps(this->handle_, settings, &sweeps), CUSOLVER_STATUS_SUCCESS);

        const device_numbers<T> polar(this->stored(a, lda)), pu(this->empty(ldu, left)), pv(this->empty(ldv, right));
        const auto ps = this->reals(rank);
        double error = -1;
        this->in_bytes(
            [&](size_t* bytes, size_t* host) {
              return cusolverDnXgesvdp_bufferSize(this->handle_, nullptr, mode, econ, m, n, type, polar.get(), lda,
                                                  real, ps.get(), type, pu.get(), ldu, type, pv.get(), ldv, type, bytes,
                                                  host);
            },
            [&](void* work, size_t bytes, int* info) {
              return cusolverDnXgesvdp(this->handle_, nullptr, mode, econ, m, n, type, polar.get(), lda, real, ps.get(),
                                       type, pu.get(), ldu, type, pv.get(), ldv, type, work, bytes, nullptr, 0, info,
                                       &error);
            });
        EXPECT_EQ(error, 0);
        check(pu, ps, pv);
      }
    }
  }
  EXPECT_EQ(cusolverDnDestroyGesvdjInfo(settings), CUSOLVER_STATUS_SUCCESS);
}

TYPED_TEST(SingularValues, BatchesHaveAResultForEachMatrix) {
  using T = TypeParam;
  const int m = 8, n = 5, lda = 9, ldu = 10, ldv = 7, count = 3, rank = 3;
  std::vector<matrix> all;
  for (int i = 0; i < count; ++i) all.push_back(this->random_matrix(m, n));
  gesvdjInfo_t settings = nullptr;
  ASSERT_EQ(cusolverDnCreateGesvdjInfo(&settings), CUSOLVER_STATUS_SUCCESS);
  const auto vectors = CUSOLVER_EIG_MODE_VECTOR;
  {
    const device_numbers<T> device(this->stored(all, lda)), u(this->empty(ldu, m * count)),
        v(this->empty(ldv, n * count));
    const auto s = this->reals(n * count);
    this->in_work(
        [&](int* lwork) {
          return call_gesvdj_batched_size(T())(this->handle_, vectors, m, n, device.get(), lda, s.get(), u.get(), ldu,
                                               v.get(), ldv, lwork, settings, count);
        },
        [&](T* work, int lwork, int* infos) {
          return call_gesvdj_batched(T())(this->handle_, vectors, m, n, device.get(), lda, s.get(), u.get(), ldu,
                                          v.get(), ldv, work, lwork, infos, settings, count);
        },
        {0, 0, 0});
    for (int i = 0; i < count; ++i) {
      this->expect_decomposed(all[static_cast<size_t>(i)], this->read(u, m, m, ldu, i), this->first(s, n, i * n),
                              this->read(v, n, n, ldv, i));
    }
    double residual = 0;
    EXPECT_EQ(cusolverDnXgesvdjGetResidual(this->handle_, settings, &residual), CUSOLVER_STATUS_NOT_SUPPORTED);
    int lwork = 0;
    EXPECT_EQ(call_gesvdj_batched_size(T())(this->handle_, vectors, 33, n, device.get(), 33, s.get(), u.get(), 33,
                                            v.get(), ldv, &lwork, settings, count),
              CUSOLVER_STATUS_INVALID_VALUE);
  }
  // The largest singular values of each matrix; the norm of the remainder goes to host memory.
  const long long stride_a = lda * n, stride_s = n, stride_u = ldu * rank, stride_v = ldv * rank;
  const device_numbers<T> device(this->stored(all, lda)), u(this->empty(ldu, rank * count)),
      v(this->empty(ldv, rank * count));
  const auto s = this->reals(n * count);
  std::vector<double> rests(count, -1);
  this->in_work(
      [&](int* lwork) {
        return call_gesvda_batched_size(T())(this->handle_, vectors, rank, m, n, device.get(), lda, stride_a, s.get(),
                                             stride_s, u.get(), ldu, stride_u, v.get(), ldv, stride_v, lwork, count);
      },
      [&](T* work, int lwork, int* infos) {
        return call_gesvda_batched(T())(this->handle_, vectors, rank, m, n, device.get(), lda, stride_a, s.get(),
                                        stride_s, u.get(), ldu, stride_u, v.get(), ldv, stride_v, work, lwork, infos,
                                        rests.data(), count);
      },
      {0, 0, 0});
  for (int i = 0; i < count; ++i) {
    const matrix left = this->read(u, m, rank, ldu, i), right = this->read(v, n, rank, ldv, i);
    this->expect_orthonormal(left);
    this->expect_orthonormal(right);
    const matrix kept = product(product(left, diagonal(rank, rank, this->first(s, rank, i * n))), adjoint(right));
    const matrix rest = sum(1, all[static_cast<size_t>(i)], -1, kept);
    this->expect_close(product(rest, right), matrix(m, rank), m);  // the remainder maps the kept vectors to 0
    double norm = 0;
    for (const number& value : rest.values) norm += std::norm(value);
    EXPECT_NEAR(rests[static_cast<size_t>(i)], std::sqrt(norm), this->tolerance * m);
  }
  EXPECT_EQ(cusolverDnDestroyGesvdjInfo(settings), CUSOLVER_STATUS_SUCCESS);
}

TYPED_TEST(SingularValues, GesvdrReturnsTheLargest) {
  using T = TypeParam;
  using R = real_of<T>;
  constexpr cudaDataType type = type_of<T>(), real = type_of<R>();
  const int m = 20, n = 12, lda = 21, ldu = 22, ldv = 13, k = 3, p = 4;
  // A matrix of rank k equals the product of its k largest singular triples.
  const matrix a = this->rounded(product(this->random_matrix(m, k), this->random_matrix(k, n)));
  const device_numbers<T> device(this->stored(a, lda)), u(this->empty(ldu, k)), v(this->empty(ldv, k));
  const auto s = this->reals(k);
  const auto size = [&](int oversampling, size_t* bytes, size_t* host) {
    return cusolverDnXgesvdr_bufferSize(this->handle_, nullptr, 'S', 'S', m, n, k, oversampling, 2, type, device.get(),
                                        lda, real, s.get(), type, u.get(), ldu, type, v.get(), ldv, type, bytes, host);
  };
  this->in_bytes([&](size_t* bytes, size_t* host) { return size(p, bytes, host); },
                 [&](void* work, size_t bytes, int* info) {
                   return cusolverDnXgesvdr(this->handle_, nullptr, 'S', 'S', m, n, k, p, 2, type, device.get(), lda,
                                            real, s.get(), type, u.get(), ldu, type, v.get(), ldv, type, work, bytes,
                                            nullptr, 0, info);
                 });
  this->expect_decomposed(a, this->read(u, m, k, ldu), this->first(s, k), this->read(v, n, k, ldv));
  size_t bytes = 0, host = 0;
  EXPECT_EQ(size(n, &bytes, &host), CUSOLVER_STATUS_INVALID_VALUE);
}

TYPED_TEST(SingularValues, GebrdAndOrgbr) {
  using T = TypeParam;
  const int m = 9, n = 6, lda = 11;
  const matrix a = this->random_matrix(m, n);
  const device_numbers<T> device(this->stored(a, lda)), tauq(this->empty(n, 1)), taup(this->empty(n, 1));
  const auto d = this->reals(n), e = this->reals(n);
  this->in_work([&](int* lwork) { return call_gebrd_size(T())(this->handle_, m, n, lwork); },
                [&](T* work, int lwork, int* info) {
                  return call_gebrd(T())(this->handle_, m, n, device.get(), lda, d.get(), e.get(), tauq.get(),
                                         taup.get(), work, lwork, info);
                });
  const matrix reduced = this->read(device, m, n, lda);
  const auto form = [&](cublasSideMode_t side, int rows, int columns, int k, const device_numbers<T>& tau) {
    const device_numbers<T> q(this->stored(part(reduced, rows, columns), rows));
    this->in_work(
        [&](int* lwork) {
          return call_orgbr_size(T())(this->handle_, side, rows, columns, k, q.get(), rows, tau.get(), lwork);
        },
        [&](T* work, int lwork, int* info) {
          return call_orgbr(T())(this->handle_, side, rows, columns, k, q.get(), rows, tau.get(), work, lwork, info);
        });
    return this->read(q, rows, columns, rows);
  };
  const matrix q = form(CUBLAS_SIDE_LEFT, m, n, n, tauq), pt = form(CUBLAS_SIDE_RIGHT, n, n, m, taup);
  this->expect_orthonormal(q);
  this->expect_orthonormal(pt);
  matrix b = diagonal(n, n, this->first(d, n));
  for (int i = 0; i + 1 < n; ++i) b.at(i, i + 1) = this->first(e, n - 1)[static_cast<size_t>(i)];
  this->expect_close(product(product(q, b), pt), a, m);
  int lwork = 0;
  EXPECT_EQ(call_gebrd_size(T())(this->handle_, 4, 5, &lwork), CUSOLVER_STATUS_INVALID_VALUE);
}

TYPED_TEST(SingularValues, SytrdOrgtrAndOrmtr) {
  using T = TypeParam;
  const int n = 9, lda = 11, other = 4;
  const matrix a = this->random_hermitian(n);
  for (cublasFillMode_t uplo : triangles) {
    const device_numbers<T> device(this->stored(a, lda)), tau(this->empty(n, 1));
    const auto d = this->reals(n), e = this->reals(n);
    this->in_work(
        [&](int* lwork) {
          return call_sytrd_size(T())(this->handle_, uplo, n, device.get(), lda, d.get(), e.get(), tau.get(), lwork);
        },
        [&](T* work, int lwork, int* info) {
          return call_sytrd(T())(this->handle_, uplo, n, device.get(), lda, d.get(), e.get(), tau.get(), work, lwork,
                                 info);
        });
    const matrix reflectors = this->read(device, n, n, lda);
    const device_numbers<T> formed(this->stored(reflectors, lda));
    this->in_work(
        [&](int* lwork) { return call_orgtr_size(T())(this->handle_, uplo, n, formed.get(), lda, tau.get(), lwork); },
        [&](T* work, int lwork, int* info) {
          return call_orgtr(T())(this->handle_, uplo, n, formed.get(), lda, tau.get(), work, lwork, info);
        });
    const matrix q = this->read(formed, n, n, lda);
    this->expect_orthonormal(q);
    matrix t = diagonal(n, n, this->first(d, n));
    for (int i = 0; i + 1 < n; ++i) {
      t.at(i, i + 1) = t.at(i + 1, i) = this->first(e, n - 1)[static_cast<size_t>(i)];
    }
    this->expect_close(product(product(q, t), adjoint(q)), a, n);
    for (cublasSideMode_t side : sides) {
      for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_C}) {
        const bool left = side == CUBLAS_SIDE_LEFT;
        const int m = left ? n : other, columns = left ? other : n, ldc = m + 1;
        const matrix c = this->random_matrix(m, columns);
        const device_numbers<T> target(this->stored(c, ldc));
        this->in_work(
            [&](int* lwork) {
              return call_ormtr_size(T())(this->handle_, side, uplo, op, m, columns, device.get(), lda, tau.get(),
                                          target.get(), ldc, lwork);
            },
            [&](T* work, int lwork, int* info) {
              return call_ormtr(T())(this->handle_, side, uplo, op, m, columns, device.get(), lda, tau.get(),
                                     target.get(), ldc, work, lwork, info);
            });
        const matrix by = apply(op, q);
        this->expect_close(this->read(target, m, columns, ldc), left ? product(by, c) : product(c, by), n);
      }
    }
  }
}

}  // namespace
