// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues and eigenvectors: A * V = V * W, and V is unitary.
#include "cusolver_test.hpp"

namespace {

using namespace cusolver_test;

constexpr cusolverEigMode_t modes[] = {CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR};

template <class T>
class Eigenvalues : public CusolverTest<T> {
 protected:
  using R = real_of<T>;

  static device_array<R> reals(int n) { return device_array<R>(std::vector<R>(static_cast<size_t>(n) + 1, R(-55))); }
  static std::vector<R> first(const device_array<R>& values, int n) {
    std::vector<R> found = values.read();
    found.resize(static_cast<size_t>(n));
    return found;
  }
  void expect_values(const std::vector<R>& found, const std::vector<R>& expected, double scale) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], this->tolerance * scale);
  }
  // Expects that the columns of `v` are eigenvectors of A with the values `w`.
  void expect_pairs(const matrix& a, const matrix& v, const std::vector<R>& w) {
    this->expect_orthonormal(v);
    this->expect_close(product(a, v), product(v, diagonal(v.columns, v.columns, w)), a.rows);
    this->expect_ascending(w);
  }
  // Computes all eigenvalues of A, and checks them with their vectors.
  std::vector<R> values_of(const matrix& a, cublasFillMode_t uplo, cusolverEigMode_t mode) {
    const int n = a.rows, lda = n + 2;
    const device_numbers<T> device(this->stored(a, lda));
    const device_array<R> w = reals(n);
    this->in_work(
        [&](int* lwork) {
          return call_syevd_size(T())(this->handle_, mode, uplo, n, device.get(), lda, w.get(), lwork);
        },
        [&](T* work, int lwork, int* info) {
          return call_syevd(T())(this->handle_, mode, uplo, n, device.get(), lda, w.get(), work, lwork, info);
        });
    const std::vector<R> found = first(w, n);
    if (mode == CUSOLVER_EIG_MODE_VECTOR) expect_pairs(a, this->read(device, n, n, lda), found);
    return found;
  }
  // Expects the equation of a generalized problem of type `itype` for the eigenvectors.
  void expect_generalized(int itype, const matrix& a, const matrix& b, const matrix& v, const std::vector<R>& w) {
    const matrix d = diagonal(v.columns, v.columns, w), vw = product(v, d);
    const double scale = 20.0 * a.rows;
    if (itype == 1) this->expect_close(product(a, v), product(b, vw), scale);
    if (itype == 2) this->expect_close(product(a, product(b, v)), vw, scale);
    if (itype == 3) this->expect_close(product(b, product(a, v)), vw, scale);
  }
};
TYPED_TEST_SUITE(Eigenvalues, all_types);

TYPED_TEST(Eigenvalues, SyevdOfBothTriangles) {
  for (int n : this->sizes) {
    const matrix a = this->random_hermitian(n);
    for (cublasFillMode_t uplo : triangles) {
      const auto with = this->values_of(a, uplo, CUSOLVER_EIG_MODE_VECTOR);
      this->expect_values(this->values_of(a, uplo, CUSOLVER_EIG_MODE_NOVECTOR), with, n);
    }
  }
}

TYPED_TEST(Eigenvalues, EmptyMatricesAndBadArguments) {
  using T = TypeParam;
  const device_numbers<T> a(this->empty(1, 1));
  const auto w = this->reals(1);
  const device_array<int> info({-7});
  int lwork = 0;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  const auto vectors = CUSOLVER_EIG_MODE_VECTOR;
  EXPECT_EQ(call_syevd_size(T())(this->handle_, vectors, lower, 0, a.get(), 1, w.get(), &lwork),
            CUSOLVER_STATUS_SUCCESS);
  const device_numbers<T> work(numbers(static_cast<size_t>(lwork)));
  EXPECT_EQ(call_syevd(T())(this->handle_, vectors, lower, 0, a.get(), 1, w.get(), work.get(), lwork, info.get()),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(info.read(), std::vector<int>{0});
  EXPECT_EQ(call_syevd_size(T())(this->handle_, vectors, lower, -1, a.get(), 1, w.get(), &lwork),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(call_syevd_size(T())(this->handle_, vectors, lower, 2, a.get(), 1, w.get(), &lwork),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(call_syevd_size(T())(this->handle_, vectors, CUBLAS_FILL_MODE_FULL, 1, a.get(), 1, w.get(), &lwork),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(
      call_syevd_size(T())(this->handle_, static_cast<cusolverEigMode_t>(5), lower, 1, a.get(), 1, w.get(), &lwork),
      CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(call_syevd_size(T())(nullptr, vectors, lower, 1, a.get(), 1, w.get(), &lwork),
            CUSOLVER_STATUS_NOT_INITIALIZED);
}

TYPED_TEST(Eigenvalues, SyevdxSelectsARange) {
  using T = TypeParam;
  using R = real_of<T>;
  const int n = 19, lda = 21;
  const matrix a = this->random_hermitian(n);
  const auto all = this->values_of(a, CUBLAS_FILL_MODE_LOWER, CUSOLVER_EIG_MODE_VECTOR);
  struct selection {
    cusolverEigRange_t range;
    int first, last;  // range of the expected values
  };
  for (cusolverEigMode_t mode : modes) {
    for (const selection& s : {selection{CUSOLVER_EIG_RANGE_ALL, 0, n},
                               {CUSOLVER_EIG_RANGE_I, 3, 8},
                               {CUSOLVER_EIG_RANGE_V, 5, 11},
                               {CUSOLVER_EIG_RANGE_I, 0, 1}}) {
      const auto middle = [&](int i) { return (all[static_cast<size_t>(i) - 1] + all[static_cast<size_t>(i)]) / 2; };
      R vl = s.range == CUSOLVER_EIG_RANGE_V ? middle(s.first) : 0,
        vu = s.range == CUSOLVER_EIG_RANGE_V ? middle(s.last) : 0;
      const std::vector<R> expected(all.begin() + s.first, all.begin() + s.last);
      const int count = s.last - s.first;
      const auto check = [&](const device_numbers<T>& device, const device_array<R>& w, int64_t found) {
        ASSERT_EQ(found, count);
        this->expect_values(this->first(w, count), expected, n);
        if (mode == CUSOLVER_EIG_MODE_NOVECTOR) return;
        this->expect_pairs(a, part(this->read(device, n, n, lda), n, count), this->first(w, count));
      };
      const device_numbers<T> device(this->stored(a, lda)), generic(this->stored(a, lda));
      const auto w = this->reals(n), generic_w = this->reals(n);
      int found = -1;
      this->in_work(
          [&](int* lwork) {
            return call_syevdx_size(T())(this->handle_, mode, s.range, CUBLAS_FILL_MODE_UPPER, n, device.get(), lda, vl,
                                         vu, s.first + 1, s.last, &found, w.get(), lwork);
          },
          [&](T* work, int lwork, int* info) {
            return call_syevdx(T())(this->handle_, mode, s.range, CUBLAS_FILL_MODE_UPPER, n, device.get(), lda, vl, vu,
                                    s.first + 1, s.last, &found, w.get(), work, lwork, info);
          });
      check(device, w, found);
      int64_t generic_found = -1;
      constexpr cudaDataType type = type_of<T>(), real = type_of<R>();
      this->in_bytes(
          [&](size_t* bytes, size_t* host) {
            return cusolverDnXsyevdx_bufferSize(this->handle_, nullptr, mode, s.range, CUBLAS_FILL_MODE_LOWER, n, type,
                                                generic.get(), lda, &vl, &vu, s.first + 1, s.last, &generic_found, real,
                                                generic_w.get(), type, bytes, host);
          },
          [&](void* work, size_t bytes, int* info) {
            return cusolverDnXsyevdx(this->handle_, nullptr, mode, s.range, CUBLAS_FILL_MODE_LOWER, n, type,
                                     generic.get(), lda, &vl, &vu, s.first + 1, s.last, &generic_found, real,
                                     generic_w.get(), type, work, bytes, nullptr, 0, info);
          });
      check(generic, generic_w, generic_found);
    }
  }
  int lwork = 0, found = 0;
  const device_numbers<T> device(this->stored(a, lda));
  const auto w = this->reals(n);
  EXPECT_EQ(call_syevdx_size(T())(this->handle_, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_RANGE_I, CUBLAS_FILL_MODE_UPPER,
                                  n, device.get(), lda, 0, 0, 4, n + 1, &found, w.get(), &lwork),
            CUSOLVER_STATUS_INVALID_VALUE);
}

TYPED_TEST(Eigenvalues, GeneralizedProblemsOfEachType) {
  using T = TypeParam;
  const int n = 13, lda = 14, ldb = 15;
  const matrix a = this->random_hermitian(n), b = this->random_definite(n);
  syevjInfo_t settings = nullptr;
  ASSERT_EQ(cusolverDnCreateSyevjInfo(&settings), CUSOLVER_STATUS_SUCCESS);
  for (int type = 1; type <= 3; ++type) {
    const auto itype = static_cast<cusolverEigType_t>(type);
    for (cublasFillMode_t uplo : triangles) {
      for (cusolverEigMode_t mode : modes) {
        const device_numbers<T> x(this->stored(a, lda)), y(this->stored(b, ldb));
        const auto w = this->reals(n);
        this->in_work(
            [&](int* lwork) {
              return call_sygvd_size(T())(this->handle_, itype, mode, uplo, n, x.get(), lda, y.get(), ldb, w.get(),
                                          lwork);
            },
            [&](T* work, int lwork, int* info) {
              return call_sygvd(T())(this->handle_, itype, mode, uplo, n, x.get(), lda, y.get(), ldb, w.get(), work,
                                     lwork, info);
            });
        const auto all = this->first(w, n);
        if (mode == CUSOLVER_EIG_MODE_VECTOR) {
          this->expect_generalized(type, a, b, this->read(x, n, n, lda), all);
        }

        const device_numbers<T> some_x(this->stored(a, lda)), some_y(this->stored(b, ldb));
        int count = -1;
        this->in_work(
            [&](int* lwork) {
              return call_sygvdx_size(T())(this->handle_, itype, mode, CUSOLVER_EIG_RANGE_I, uplo, n, some_x.get(), lda,
                                           some_y.get(), ldb, 0, 0, 3, 6, &count, w.get(), lwork);
            },
            [&](T* work, int lwork, int* info) {
              return call_sygvdx(T())(this->handle_, itype, mode, CUSOLVER_EIG_RANGE_I, uplo, n, some_x.get(), lda,
                                      some_y.get(), ldb, 0, 0, 3, 6, &count, w.get(), work, lwork, info);
            });
        ASSERT_EQ(count, 4);
        const auto some = this->first(w, 4);
        this->expect_values(some, {all.begin() + 2, all.begin() + 6}, 100);
        if (mode == CUSOLVER_EIG_MODE_VECTOR) {
          this->expect_generalized(type, a, b, part(this->read(some_x, n, n, lda), n, 4), some);
        }

        const device_numbers<T> jacobi_x(this->stored(a, lda)), jacobi_y(this->stored(b, ldb));
        this->in_work(
            [&](int* lwork) {
              return call_sygvj_size(T())(this->handle_, itype, mode, uplo, n, jacobi_x.get(), lda, jacobi_y.get(), ldb,
                                          w.get(), lwork, settings);
            },
            [&](T* work, int lwork, int* info) {
              return call_sygvj(T())(this->handle_, itype, mode, uplo, n, jacobi_x.get(), lda, jacobi_y.get(), ldb,
                                     w.get(), work, lwork, info, settings);
            });
        this->expect_values(this->first(w, n), all, 100);
        if (mode == CUSOLVER_EIG_MODE_VECTOR) {
          this->expect_generalized(type, a, b, this->read(jacobi_x, n, n, lda), this->first(w, n));
        }
      }
    }
  }
  // The third leading minor of B is not positive.
  matrix bad = identity(n);
  bad.at(2, 2) = -1;
  const device_numbers<T> x(this->stored(a, lda)), y(this->stored(bad, ldb)), z(this->stored(bad, ldb));
  const auto w = this->reals(n);
  this->in_work(
      [&](int* lwork) {
        return call_sygvd_size(T())(this->handle_, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR,
                                    CUBLAS_FILL_MODE_LOWER, n, x.get(), lda, y.get(), ldb, w.get(), lwork);
      },
      [&](T* work, int lwork, int* info) {
        return call_sygvd(T())(this->handle_, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                               x.get(), lda, y.get(), ldb, w.get(), work, lwork, info);
      },
      {n + 3});
  this->in_work(
      [&](int* lwork) {
        return call_sygvj_size(T())(this->handle_, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR,
                                    CUBLAS_FILL_MODE_LOWER, n, x.get(), lda, z.get(), ldb, w.get(), lwork, settings);
      },
      [&](T* work, int lwork, int* info) {
        return call_sygvj(T())(this->handle_, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                               x.get(), lda, z.get(), ldb, w.get(), work, lwork, info, settings);
      },
      {3});
  EXPECT_EQ(cusolverDnDestroySyevjInfo(settings), CUSOLVER_STATUS_SUCCESS);
}

TYPED_TEST(Eigenvalues, SyevjReportsItsResidual) {
  using T = TypeParam;
  const int n = 17, lda = 18;
  const matrix a = this->random_hermitian(n);
  syevjInfo_t settings = nullptr;
  ASSERT_EQ(cusolverDnCreateSyevjInfo(&settings), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnXsyevjSetTolerance(settings, 1e-7), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnXsyevjSetMaxSweeps(settings, 15), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnXsyevjSetMaxSweeps(settings, -1), CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnXsyevjSetSortEig(settings, 1), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnXsyevjSetTolerance(nullptr, 1e-7), CUSOLVER_STATUS_INVALID_VALUE);
  for (cublasFillMode_t uplo : triangles) {
    const auto all = this->values_of(a, uplo, CUSOLVER_EIG_MODE_VECTOR);
    for (cusolverEigMode_t mode : modes) {
      const device_numbers<T> device(this->stored(a, lda));
      const auto w = this->reals(n);
      this->in_work(
          [&](int* lwork) {
            return call_syevj_size(T())(this->handle_, mode, uplo, n, device.get(), lda, w.get(), lwork, settings);
          },
          [&](T* work, int lwork, int* info) {
            return call_syevj(T())(this->handle_, mode, uplo, n, device.get(), lda, w.get(), work, lwork, info,
                                   settings);
          });
      this->expect_values(this->first(w, n), all, n);
      if (mode == CUSOLVER_EIG_MODE_VECTOR) this->expect_pairs(a, this->read(device, n, n, lda), this->first(w, n));
      double residual = -1;
      int sweeps = -1;
      ASSERT_EQ(cusolverDnXsyevjGetResidual(this->handle_, settings, &residual), CUSOLVER_STATUS_SUCCESS);
      EXPECT_GT(residual, 0);
      EXPECT_LT(residual, this->tolerance * n);
      ASSERT_EQ(cusolverDnXsyevjGetSweeps(this->handle_, settings, &sweeps), CUSOLVER_STATUS_SUCCESS);
      EXPECT_EQ(sweeps, 0);
    }
  }
  int lwork = 0;
  const device_numbers<T> device(this->stored(a, lda));
  EXPECT_EQ(call_syevj_size(T())(this->handle_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, device.get(), lda,
                                 nullptr, &lwork, nullptr),
            CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusolverDnDestroySyevjInfo(settings), CUSOLVER_STATUS_SUCCESS);
}

TYPED_TEST(Eigenvalues, BatchesHaveEquallyDistantMatrices) {
  using T = TypeParam;
  using R = real_of<T>;
  const int n = 9, lda = 11, count = 3;
  constexpr cudaDataType type = type_of<T>(), real = type_of<R>();
  std::vector<matrix> all;
  for (int i = 0; i < count; ++i) all.push_back(this->random_hermitian(n));
  syevjInfo_t settings = nullptr;
  ASSERT_EQ(cusolverDnCreateSyevjInfo(&settings), CUSOLVER_STATUS_SUCCESS);
  const device_numbers<T> device(this->stored(all, lda)), generic(this->stored(all, lda));
  const auto w = this->reals(n * count), generic_w = this->reals(n * count);
  this->in_work(
      [&](int* lwork) {
        return call_syevj_batched_size(T())(this->handle_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n,
                                            device.get(), lda, w.get(), lwork, settings, count);
      },
      [&](T* work, int lwork, int* infos) {
        return call_syevj_batched(T())(this->handle_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, device.get(),
                                       lda, w.get(), work, lwork, infos, settings, count);
      },
      {0, 0, 0});
  double residual = 0;
  EXPECT_EQ(cusolverDnXsyevjGetResidual(this->handle_, settings, &residual), CUSOLVER_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cusolverDnDestroySyevjInfo(settings), CUSOLVER_STATUS_SUCCESS);
  this->in_bytes(
      [&](size_t* bytes, size_t* host) {
        return cusolverDnXsyevBatched_bufferSize(this->handle_, nullptr, CUSOLVER_EIG_MODE_VECTOR,
                                                 CUBLAS_FILL_MODE_LOWER, n, type, generic.get(), lda, real,
                                                 generic_w.get(), type, bytes, host, count);
      },
      [&](void* work, size_t bytes, int* infos) {
        return cusolverDnXsyevBatched(this->handle_, nullptr, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, type,
                                      generic.get(), lda, real, generic_w.get(), type, work, bytes, nullptr, 0, infos,
                                      count);
      },
      {0, 0, 0});
  for (int i = 0; i < count; ++i) {
    for (const auto& [matrices, values] : {std::pair{&device, &w}, {&generic, &generic_w}}) {
      const std::vector<R> found = values->read();
      this->expect_pairs(all[static_cast<size_t>(i)], this->read(*matrices, n, n, lda, i),
                         {found.begin() + i * n, found.begin() + (i + 1) * n});
    }
  }
}

TYPED_TEST(Eigenvalues, GeneralMatricesHaveComplexEigenvalues) {
  using T = TypeParam;
  using R = real_of<T>;
  constexpr cudaDataType type = type_of<T>();
  const int n = 11, lda = 12, ldv = 13;
  const matrix a = this->rounded(this->random_matrix(n, n));
  for (bool complex_results : {true, false}) {
    if (is_complex<T> && !complex_results) continue;
    const cudaDataType type_w = !complex_results || is_complex<T> ? type : type == CUDA_R_32F ? CUDA_C_32F : CUDA_C_64F;
    const device_numbers<T> device(this->stored(a, lda)), vectors(this->empty(ldv, n));
    const auto w = this->reals(2 * n);
    this->in_bytes(
        [&](size_t* bytes, size_t* host) {
          return cusolverDnXgeev_bufferSize(this->handle_, nullptr, CUSOLVER_EIG_MODE_NOVECTOR,
                                            CUSOLVER_EIG_MODE_VECTOR, n, type, device.get(), lda, type_w, w.get(), type,
                                            nullptr, 1, type, vectors.get(), ldv, type, bytes, host);
        },
        [&](void* work, size_t bytes, int* info) {
          return cusolverDnXgeev(this->handle_, nullptr, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR, n, type,
                                 device.get(), lda, type_w, w.get(), type, nullptr, 1, type, vectors.get(), ldv, type,
                                 work, bytes, nullptr, 0, info);
        });
    const std::vector<R> parts = w.read();
    std::vector<number> values;
    for (size_t i = 0; i < n; ++i) {
      values.push_back(complex_results ? number(parts[2 * i], parts[2 * i + 1]) : number(parts[i], parts[n + i]));
    }
    const device_numbers<T>& read_from = vectors;
    matrix v(n, n);
    const numbers stored = read_from.read();
    const auto element = [&](int r, int c) { return stored[static_cast<size_t>(r + c * ldv)]; };
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r) {
        // For a conjugate pair of eigenvectors, a real matrix stores the real part in one column and the imaginary part
        // in the next.
        const double imaginary = values[static_cast<size_t>(c)].imag();
        if (is_complex<T> || imaginary == 0) {
          v.at(r, c) = element(r, c);
        } else {
          v.at(r, c) = imaginary > 0 ? number(element(r, c).real(), element(r, c + 1).real())
                                     : number(element(r, c - 1).real(), -element(r, c).real());
        }
      }
    }
    this->expect_close(product(a, v), product(v, diagonal(n, n, values)), n);
  }
  size_t bytes = 0, host = 0;
  EXPECT_EQ(
      cusolverDnXgeev_bufferSize(this->handle_, nullptr, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_MODE_NOVECTOR, n, type,
                                 nullptr, lda, type, nullptr, type, nullptr, n, type, nullptr, n, type, &bytes, &host),
      CUSOLVER_STATUS_NOT_SUPPORTED);
}

}  // namespace
