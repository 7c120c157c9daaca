// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factors of positive definite matrices, and inverses of triangular matrices.
#include "cusolver_test.hpp"

namespace {

using namespace cusolver_test;

template <class T>
class Cholesky : public CusolverTest<T> {
 protected:
  // L * L^H or U^H * U.
  static matrix square(const matrix& factor, cublasFillMode_t uplo) {
    const matrix f = triangle_of(factor, uplo, CUBLAS_DIAG_NON_UNIT);
    return uplo == CUBLAS_FILL_MODE_LOWER ? product(f, adjoint(f)) : product(adjoint(f), f);
  }
  // Expects that the triangle that `uplo` does not name is the one of `before`.
  static void expect_unchanged(const matrix& found, const matrix& before, cublasFillMode_t uplo) {
    for (int r = 0; r < found.rows; ++r) {
      for (int c = 0; c < found.columns; ++c) {
        if (!is_in(uplo, r, c)) {
          ASSERT_EQ(found.at(r, c), before.at(r, c));
        }
      }
    }
  }
  void factor(cublasFillMode_t uplo, int n, const device_numbers<T>& a, int lda, int info = 0) {
    this->in_work([&](int* lwork) { return call_potrf_size(T())(this->handle_, uplo, n, a.get(), lda, lwork); },
                  [&](T* work, int lwork, int* result) {
                    return call_potrf(T())(this->handle_, uplo, n, a.get(), lda, work, lwork, result);
                  },
                  {info});
  }
};
TYPED_TEST_SUITE(Cholesky, all_types);

TYPED_TEST(Cholesky, FactorsSolveAndInvert) {
  using T = TypeParam;
  for (int n : this->sizes) {
    for (cublasFillMode_t uplo : triangles) {
      const int lda = n + 3, ldb = n + 1, nrhs = 2;
      const matrix a = this->random_definite(n), x = this->random_matrix(n, nrhs);
      const device_numbers<T> device(this->stored(a, lda)), b(this->stored(product(a, x), ldb));
      this->factor(uplo, n, device, lda);
      const matrix factored = this->read(device, n, n, lda);
      this->expect_close(this->square(factored, uplo), a, n);
      this->expect_unchanged(factored, a, uplo);
      const device_array<int> info({-7});
      ASSERT_EQ(call_potrs(T())(this->handle_, uplo, n, nrhs, device.get(), lda, b.get(), ldb, info.get()),
                CUSOLVER_STATUS_SUCCESS);
      EXPECT_EQ(info.read(), std::vector<int>{0});
      this->expect_close(this->read(b, n, nrhs, ldb), x, 10 * n);

      const device_numbers<T> inverse(this->stored(factored, lda)), product_of_factors(this->stored(factored, lda));
      this->in_work([&](int* lwork) { return call_potri_size(T())(this->handle_, uplo, n, inverse.get(), lda, lwork); },
                    [&](T* work, int lwork, int* result) {
                      return call_potri(T())(this->handle_, uplo, n, inverse.get(), lda, work, lwork, result);
                    });
      this->expect_close(product(mirrored(this->read(inverse, n, n, lda), uplo, true), a), identity(n), 10 * n);
      this->in_work(
          [&](int* lwork) {
            return call_lauum_size(T())(this->handle_, uplo, n, product_of_factors.get(), lda, lwork);
          },
          [&](T* work, int lwork, int* result) {
            return call_lauum(T())(this->handle_, uplo, n, product_of_factors.get(), lda, work, lwork, result);
          });
      const matrix f = triangle_of(factored, uplo, CUBLAS_DIAG_NON_UNIT);
      const matrix swapped = uplo == CUBLAS_FILL_MODE_LOWER ? product(adjoint(f), f) : product(f, adjoint(f));
      this->expect_close(mirrored(this->read(product_of_factors, n, n, lda), uplo, true), swapped, n);
    }
  }
}

TYPED_TEST(Cholesky, TheFirstIndefiniteMinorIsNamed) {
  using T = TypeParam;
  for (cublasFillMode_t uplo : triangles) {
    matrix a = identity(5);
    a.at(3, 3) = -1;
    const device_numbers<T> device(this->stored(a, 5));
    this->factor(uplo, 5, device, 5, 4);
  }
  const device_numbers<T> nothing(numbers{});
  this->factor(CUBLAS_FILL_MODE_LOWER, 0, nothing, 1);
}

TYPED_TEST(Cholesky, BatchesHaveAResultForEachMatrix) {
  using T = TypeParam;
  const int n = 7, lda = 9, count = 3;
  for (cublasFillMode_t uplo : triangles) {
    std::vector<matrix> all, sides, solutions;
    for (int i = 0; i < count; ++i) {
      all.push_back(this->random_definite(n));
      solutions.push_back(this->random_matrix(n, 1));
      sides.push_back(product(all.back(), solutions.back()));
    }
    const device_numbers<T> device(this->stored(all, lda)), b(this->stored(sides, n));
    const device_array<T*> matrices({device.get(), device.get() + lda * n, device.get() + 2 * lda * n});
    const device_array<T*> vectors({b.get(), b.get() + n, b.get() + 2 * n});
    const device_array<int> infos({-7, -7, -7});
    ASSERT_EQ(call_potrf_batched(T())(this->handle_, uplo, n, matrices.get(), lda, infos.get(), count),
              CUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(infos.read(), (std::vector<int>{0, 0, 0}));
    for (int i = 0; i < count; ++i) {
      this->expect_close(this->square(this->read(device, n, n, lda, i), uplo), all[static_cast<size_t>(i)], n);
    }
    ASSERT_EQ(
        call_potrs_batched(T())(this->handle_, uplo, n, 1, matrices.get(), lda, vectors.get(), n, infos.get(), count),
        CUSOLVER_STATUS_SUCCESS);
    for (int i = 0; i < count; ++i) {
      this->expect_close(this->read(b, n, 1, n, i), solutions[static_cast<size_t>(i)], 10 * n);
    }
    EXPECT_EQ(
        call_potrs_batched(T())(this->handle_, uplo, n, 2, matrices.get(), lda, vectors.get(), n, infos.get(), count),
        CUSOLVER_STATUS_INVALID_VALUE);
  }
  matrix bad = identity(2);
  bad.at(1, 1) = 0;
  const device_numbers<T> two(this->stored({identity(2), bad}, 2));
  const device_array<T*> matrices({two.get(), two.get() + 4});
  const device_array<int> infos({-7, -7});
  ASSERT_EQ(call_potrf_batched(T())(this->handle_, CUBLAS_FILL_MODE_LOWER, 2, matrices.get(), 2, infos.get(), 2),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(infos.read(), (std::vector<int>{0, 2}));
}

TYPED_TEST(Cholesky, GenericCallsHaveTheResultsOfTypedOnes) {
  using T = TypeParam;
  constexpr cudaDataType type = type_of<T>();
  const int n = 9, lda = 11;
  for (cublasFillMode_t uplo : triangles) {
    const matrix a = this->random_definite(n), x = this->random_matrix(n, 3);
    const device_numbers<T> device(this->stored(a, lda)), b(this->stored(product(a, x), n));
    this->in_bytes(
        [&](size_t* bytes, size_t* host) {
          return cusolverDnXpotrf_bufferSize(this->handle_, nullptr, uplo, n, type, device.get(), lda, type, bytes,
                                             host);
        },
        [&](void* work, size_t bytes, int* info) {
          return cusolverDnXpotrf(this->handle_, nullptr, uplo, n, type, device.get(), lda, type, work, bytes, nullptr,
                                  0, info);
        });
    this->expect_close(this->square(this->read(device, n, n, lda), uplo), a, n);
    const device_array<int> info({-7});
    ASSERT_EQ(
        cusolverDnXpotrs(this->handle_, nullptr, uplo, n, 3, type, device.get(), lda, type, b.get(), n, info.get()),
        CUSOLVER_STATUS_SUCCESS);
    this->expect_close(this->read(b, n, 3, n), x, 10 * n);
    EXPECT_EQ(cusolverDnXpotrs(this->handle_, nullptr, uplo, n, 3, type, device.get(), lda, CUDA_R_16F, b.get(), n,
                               info.get()),
              CUSOLVER_STATUS_INVALID_VALUE);
  }
}

TYPED_TEST(Cholesky, TriangularMatricesAreInverted) {
  using T = TypeParam;
  constexpr cudaDataType type = type_of<T>();
  const int n = 13, lda = 14;
  for (cublasFillMode_t uplo : triangles) {
    for (cublasDiagType_t diag : diagonals) {
      const matrix a = this->rounded(sum(0.1, this->random_matrix(n, n), 2, identity(n)));
      const device_numbers<T> device(this->stored(a, lda));
      const auto invert = [&](int expected) {
        this->in_bytes(
            [&](size_t* bytes, size_t* host) {
              return cusolverDnXtrtri_bufferSize(this->handle_, uplo, diag, n, type, device.get(), lda, bytes, host);
            },
            [&](void* work, size_t bytes, int* info) {
              return cusolverDnXtrtri(this->handle_, uplo, diag, n, type, device.get(), lda, work, bytes, nullptr, 0,
                                      info);
            },
            {expected});
      };
      invert(0);
      const matrix found = triangle_of(this->read(device, n, n, lda), uplo, diag);
      this->expect_close(product(triangle_of(a, uplo, diag), found), identity(n), n);
      if (diag == CUBLAS_DIAG_UNIT) continue;
      ASSERT_EQ(cudaMemset(device.get() + 4 + 4 * lda, 0, sizeof(T)), cudaSuccess);
      invert(5);
    }
  }
}

}  // namespace
