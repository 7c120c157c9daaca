// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterative refinement: solutions have the precision of the operands.
#include "cusolver_test.hpp"

namespace {

using namespace cusolver_test;

template <class T>
class Refinement : public CusolverTest<T> {};
TYPED_TEST_SUITE(Refinement, all_types);

// Calls `use` with the routines whose operands have type T.
template <class T, class Use>
void each_precision(Use&& use) {
#define COHORT_REFINED(letters, type, lowest)                                      \
  if constexpr (std::is_same_v<type, T>) {                                         \
    use(#letters, cusolverDn##letters##gesv_bufferSize, cusolverDn##letters##gesv, \
        cusolverDn##letters##gels_bufferSize, cusolverDn##letters##gels, lowest);  \
  }
#include <cudart_detail/cusolver/refinements.inc>
#undef COHORT_REFINED
}

TYPED_TEST(Refinement, EachPrecisionSolves) {
  using T = TypeParam;
  const int n = 33, nrhs = 2, lda = 35, ldb = 34, ldx = 36, rows = 40, ldr = 41;
  const matrix a = this->rounded(sum(1, this->random_matrix(n, n), 4, identity(n)));
  const matrix x = this->rounded(this->random_matrix(n, nrhs));
  const matrix tall = this->rounded(this->random_matrix(rows, n)), sides = this->random_matrix(rows, nrhs);
  int calls = 0;
  each_precision<T>([&](const char* letters, auto gesv_size, auto gesv, auto gels_size, auto gels, auto) {
    SCOPED_TRACE(letters);
    ++calls;
    const device_numbers<T> device(this->stored(a, lda)), b(this->stored(product(a, x), ldb)),
        found(this->empty(ldx, nrhs));
    const device_array<int> pivots(std::vector<int>(n, -1));
    int iterations = -7;
    this->in_bytes(
        [&](size_t* bytes, size_t* host) {
          *host = 0;
          return gesv_size(this->handle_, n, nrhs, device.get(), lda, pivots.get(), b.get(), ldb, found.get(), ldx,
                           nullptr, bytes);
        },
        [&](void* work, size_t bytes, int* info) {
          return gesv(this->handle_, n, nrhs, device.get(), lda, pivots.get(), b.get(), ldb, found.get(), ldx, work,
                      bytes, &iterations, info);
        });
    EXPECT_GE(iterations, 0);
    this->expect_close(this->read(found, n, nrhs, ldx), x, 10);
    this->expect_close(this->read(device, n, n, lda), a, 0);  // expects the matrix unchanged

    const device_numbers<T> over(this->stored(tall, ldr)), right(this->stored(sides, ldr)),
        least(this->empty(ldx, nrhs));
    this->in_bytes(
        [&](size_t* bytes, size_t* host) {
          *host = 0;
          return gels_size(this->handle_, rows, n, nrhs, over.get(), ldr, right.get(), ldr, least.get(), ldx, nullptr,
                           bytes);
        },
        [&](void* work, size_t bytes, int* info) {
          return gels(this->handle_, rows, n, nrhs, over.get(), ldr, right.get(), ldr, least.get(), ldx, work, bytes,
                      &iterations, info);
        });
    EXPECT_EQ(iterations, 0);
    const matrix rest = sum(1, product(tall, this->read(least, n, nrhs, ldx)), -1, sides);
    this->expect_close(product(adjoint(tall), rest), matrix(n, nrhs), 10 * rows);
  });
  const bool is_single = std::is_same_v<real_of<T>, float>;
  EXPECT_EQ(calls, is_single ? 4 : 5);
}

TYPED_TEST(Refinement, SingularMatricesFallBackAndAreNamed) {
  using T = TypeParam;
  const int n = 3;
  matrix a = identity(n);
  a.at(1, 1) = 0;
  each_precision<T>([&](const char*, auto gesv_size, auto gesv, auto, auto, auto) {
    const device_numbers<T> device(this->stored(a, n)), b(this->empty(n, 1)), x(this->empty(n, 1));
    const device_array<int> pivots({0, 0, 0});
    int iterations = 7;
    this->in_bytes(
        [&](size_t* bytes, size_t* host) {
          *host = 0;
          return gesv_size(this->handle_, n, 1, device.get(), n, pivots.get(), b.get(), n, x.get(), n, nullptr, bytes);
        },
        [&](void* work, size_t bytes, int* info) {
          return gesv(this->handle_, n, 1, device.get(), n, pivots.get(), b.get(), n, x.get(), n, work, bytes,
                      &iterations, info);
        },
        {2});
    EXPECT_LT(iterations, 0);
  });
}

using FullPrecision = CusolverTest<double>;

// Falls back for a matrix that is too ill-conditioned for factors in float, and for entries beyond the range of float.
TEST_F(FullPrecision, FallsBackToTheFullPrecision) {
  const int n = 8;
  matrix hilbert(n, n), large = identity(n);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) hilbert.at(r, c) = 1.0 / (r + c + 1);
    large.at(r, r) = 1e200;
  }
  for (const matrix& a : {hilbert, large}) {
    matrix x(n, 1);
    for (number& value : x.values) value = 1;
    const device_numbers<double> device(stored(a, n)), b(stored(product(a, x), n)), found(empty(n, 1));
    const device_array<int> pivots(std::vector<int>(n, -1));
    int iterations = 7;
    in_bytes(
        [&](size_t* bytes, size_t* host) {
          *host = 0;
          return cusolverDnDSgesv_bufferSize(handle_, n, 1, device.get(), n, pivots.get(), b.get(), n, found.get(), n,
                                             nullptr, bytes);
        },
        [&](void* work, size_t bytes, int* info) {
          return cusolverDnDSgesv(handle_, n, 1, device.get(), n, pivots.get(), b.get(), n, found.get(), n, work, bytes,
                                  &iterations, info);
        });
    EXPECT_LT(iterations, 0);
    const matrix solution = read(found, n, 1, n);
    for (const number& value : solution.values) EXPECT_NEAR(value.real(), 1, 1e-5);
  }
}

TEST_F(FullPrecision, ParametersControlTheRefinement) {
  const int n = 21, nrhs = 2;
  const matrix a = rounded(sum(1, random_matrix(n, n), 4, identity(n))), x = random_matrix(n, nrhs);
  cusolverDnIRSParams_t params = nullptr;
  cusolverDnIRSInfos_t infos = nullptr;
  ASSERT_EQ(cusolverDnIRSParamsCreate(&params), CUSOLVER_STATUS_SUCCESS);
  ASSERT_EQ(cusolverDnIRSInfosCreate(&infos), CUSOLVER_STATUS_SUCCESS);
  size_t bytes = 0;
  EXPECT_EQ(cusolverDnIRSXgesv_bufferSize(handle_, nullptr, n, nrhs, &bytes),
            CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  EXPECT_EQ(cusolverDnIRSXgesv_bufferSize(handle_, params, n, nrhs, &bytes), CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  EXPECT_EQ(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_32F, CUSOLVER_R_64F),
            CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  EXPECT_EQ(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_C_32F),
            CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  EXPECT_EQ(cusolverDnIRSParamsSetSolverMainPrecision(params, CUSOLVER_R_64F), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSParamsSetSolverLowestPrecision(params, CUSOLVER_R_16F), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSXgesv_bufferSize(handle_, params, n, nrhs, &bytes), CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE);
  EXPECT_EQ(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_GMRES), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSParamsSetMaxIters(params, -1), CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER);
  EXPECT_EQ(cusolverDnIRSParamsSetMaxIters(params, 20), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSParamsSetMaxItersInner(params, 21), CUSOLVER_STATUS_IRS_PARAMS_INVALID);
  EXPECT_EQ(cusolverDnIRSInfosRequestResidual(infos), CUSOLVER_STATUS_SUCCESS);

  const device_numbers<double> device(stored(a, n)), b(stored(product(a, x), n)), found(empty(n, nrhs));
  int iterations = -7;
  in_bytes(
      [&](size_t* size, size_t* host) {
        *host = 0;
        return cusolverDnIRSXgesv_bufferSize(handle_, params, n, nrhs, size);
      },
      [&](void* work, size_t size, int* info) {
        return cusolverDnIRSXgesv(handle_, params, infos, n, nrhs, device.get(), n, b.get(), n, found.get(), n, work,
                                  size, &iterations, info);
      });
  expect_close(read(found, n, nrhs, n), x, 10);
  EXPECT_GT(iterations, 0);  // factors in float leave a residual to refine
  int count = -1, most = -1;
  EXPECT_EQ(cusolverDnIRSInfosGetNiters(infos, &count), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(count, iterations);
  EXPECT_EQ(cusolverDnIRSInfosGetOuterNiters(infos, &count), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(count, iterations);
  EXPECT_EQ(cusolverDnIRSInfosGetMaxIters(infos, &most), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(most, 20);
  void* history = nullptr;
  ASSERT_EQ(cusolverDnIRSInfosGetResidualHistory(infos, &history), CUSOLVER_STATUS_SUCCESS);
  const auto* const norms = static_cast<const double*>(history);
  for (int column = 0; column < nrhs; ++column) {
    EXPECT_GT(norms[column * 21], norms[column * 21 + iterations] * 100);
  }

  // Without refinement and without a fallback, the solution keeps the precision of the factors.
  EXPECT_EQ(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_NONE), CUSOLVER_STATUS_SUCCESS);
  const auto error_of_solution = [&] {
    in_bytes(
        [&](size_t* size, size_t* host) {
          *host = 0;
          return cusolverDnIRSXgesv_bufferSize(handle_, params, n, nrhs, size);
        },
        [&](void* work, size_t size, int* info) {
          return cusolverDnIRSXgesv(handle_, params, infos, n, nrhs, device.get(), n, b.get(), n, found.get(), n, work,
                                    size, &iterations, info);
        });
    double largest = 0;
    for (const number& value : sum(1, read(found, n, nrhs, n), -1, x).values)
      largest = std::max(largest, std::abs(value));
    return largest;
  };
  const double unrefined = error_of_solution();
  EXPECT_GT(unrefined, 1e-10);
  EXPECT_LT(unrefined, 1e-4);
  EXPECT_EQ(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_CLASSICAL), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSParamsSetMaxIters(params, 0), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSParamsDisableFallback(params), CUSOLVER_STATUS_SUCCESS);
  EXPECT_GT(error_of_solution(), 1e-10);
  EXPECT_LT(iterations, 0);
  EXPECT_EQ(cusolverDnIRSParamsEnableFallback(params), CUSOLVER_STATUS_SUCCESS);
  EXPECT_LT(error_of_solution(), 1e-11);
  EXPECT_EQ(cusolverDnIRSParamsDestroy(params), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnIRSInfosDestroy(infos), CUSOLVER_STATUS_SUCCESS);
}

}  // namespace
