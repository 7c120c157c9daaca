// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines of cuBLAS whose arguments name types: half precision within one rounding of the exact result, integers
// exact.
#include <cmath>
#include <cstring>

#include "cublas_test.hpp"

namespace {

using namespace cublas_test;

class Typed : public CublasTest<float> {
 protected:
  // Random elements; small integers, so that sums are exact in all types.
  template <class E>
  std::vector<E> elements(size_t count) {
    std::vector<E> values;
    for (size_t i = 0; i < count; ++i) values.push_back(E(static_cast<float>(random().real())));
    return values;
  }
  template <class E>
  static double value_of(E value) {
    return static_cast<double>(static_cast<float>(value));
  }

  // Checks C = 2 * op(A) * op(B) + 3 * C for elements of the given types.
  template <class AB, class C, class Scale>
  void expect_product(cudaDataType ab, cudaDataType type, cublasComputeType_t compute) {
    const int m = 7, n = 5, k = 9, lda = 11, ldb = 10, ldc = 8;
    for (cublasOperation_t opa : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      for (cublasOperation_t opb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        const auto a = elements<AB>(static_cast<size_t>(lda * (opa == CUBLAS_OP_N ? k : m)));
        const auto b = elements<AB>(static_cast<size_t>(ldb * (opb == CUBLAS_OP_N ? n : k)));
        const auto c = elements<C>(static_cast<size_t>(ldc * n));
        const device_array<AB> da(a), db(b);
        const device_array<C> dc(c);
        const Scale alpha = Scale(2.f), beta = Scale(3.f);
        ASSERT_EQ(cublasGemmEx(handle_, opa, opb, m, n, k, &alpha, da.get(), ab, lda, db.get(), ab, ldb, &beta,
                               dc.get(), type, ldc, compute, CUBLAS_GEMM_DEFAULT),
                  CUBLAS_STATUS_SUCCESS);
        const std::vector<C> found = dc.read();
        for (int column = 0; column < n; ++column) {
          for (int row = 0; row < ldc; ++row) {
            const auto at = static_cast<size_t>(row + column * ldc);
            double expected = value_of(c[at]);
            if (row < m) {
              expected *= 3;
              for (int i = 0; i < k; ++i) {
                const int in_a = opa == CUBLAS_OP_N ? row + i * lda : i + row * lda;
                const int in_b = opb == CUBLAS_OP_N ? i + column * ldb : column + i * ldb;
                expected += 2 * value_of(a[static_cast<size_t>(in_a)]) * value_of(b[static_cast<size_t>(in_b)]);
              }
            }
            ASSERT_EQ(value_of(found[at]), value_of(C(static_cast<float>(expected)))) << row << ", " << column;
          }
        }
      }
    }
  }
};

TEST_F(Typed, ProductsOfAllTypes) {
  expect_product<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  expect_product<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  expect_product<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  expect_product<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  expect_product<__nv_bfloat16, float, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC);
  expect_product<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  expect_product<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  expect_product<int8_t, int32_t, int32_t>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  expect_product<int8_t, float, float>(CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F);
}

TEST_F(Typed, IntegersAreExactAndWrap) {
  const int k = 70001;
  const device_array<int8_t> a(std::vector<int8_t>(k, -128)), b(std::vector<int8_t>(k, -128));
  const device_array<int32_t> c({7});
  int32_t alpha = 2, beta = 1;
  ASSERT_EQ(cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, k, &alpha, a.get(), CUDA_R_8I, 1, b.get(), CUDA_R_8I,
                         k, &beta, c.get(), CUDA_R_32I, 1, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.read()[0], static_cast<int32_t>(static_cast<uint32_t>(2ull * k * 16384 + 7)));
}

// A sum of 4096 halves of 1: half precision would stop at 2048.
TEST_F(Typed, HalvesAccumulateInFloat) {
  const int k = 4096;
  const device_array<__half> ones(std::vector<__half>(k, __half(1.f))), c({__half(0.f)});
  const __half alpha(1.f), beta(0.f);
  ASSERT_EQ(
      cublasHgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, k, &alpha, ones.get(), 1, ones.get(), k, &beta, c.get(), 1),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(value_of(c.read()[0]), 4096);
}

TEST_F(Typed, OldResultsAreNotReadWithoutBeta) {
  const device_array<__half> one({__half(3.f)}), c({__half(std::nanf(""))});
  const float alpha = 1, beta = 0;
  ASSERT_EQ(cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &alpha, one.get(), CUDA_R_16F, 1, one.get(),
                         CUDA_R_16F, 1, &beta, c.get(), CUDA_R_16F, 1, CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(value_of(c.read()[0]), 9);
}

TEST_F(Typed, Batches) {
  const std::vector<__half> a = elements<__half>(12), b = elements<__half>(12);
  const device_array<__half> da(a), db(b);
  const device_array<float> strided(std::vector<float>(8)), pointed(std::vector<float>(8));
  const float alpha = 1, beta = 0;
  ASSERT_EQ(cublasGemmStridedBatchedEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &alpha, da.get(), CUDA_R_16F, 2, 6,
                                       db.get(), CUDA_R_16F, 3, 6, &beta, strided.get(), CUDA_R_32F, 2, 4, 2,
                                       CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  const device_array<const void*> pa({da.get(), da.get() + 6}), pb({db.get(), db.get() + 6});
  const device_array<void*> pc({pointed.get(), pointed.get() + 4});
  ASSERT_EQ(
      cublasGemmBatchedEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &alpha, pa.get(), CUDA_R_16F, 2, pb.get(),
                          CUDA_R_16F, 3, &beta, pc.get(), CUDA_R_32F, 2, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      CUBLAS_STATUS_SUCCESS);
  std::vector<float> expected;
  for (int i = 0; i < 2; ++i) {
    for (int column = 0; column < 2; ++column) {
      for (int row = 0; row < 2; ++row) {
        double sum = 0;
        for (int j = 0; j < 3; ++j) {
          sum += value_of(a[static_cast<size_t>(6 * i + row + 2 * j)]) *
                 value_of(b[static_cast<size_t>(6 * i + j + 3 * column)]);
        }
        expected.push_back(static_cast<float>(sum));
      }
    }
  }
  EXPECT_EQ(strided.read(), expected);
  EXPECT_EQ(pointed.read(), expected);
}

TEST_F(Typed, OtherCombinationsAreRefused) {
  const float one = 1;
  const device_array<float> x({1});
  const auto product = [&](cudaDataType ab, cudaDataType c, cublasComputeType_t compute) {
    return cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x.get(), ab, 1, x.get(), ab, 1, &one, x.get(),
                        c, 1, compute, CUBLAS_GEMM_DEFAULT);
  };
  EXPECT_EQ(product(CUDA_R_32F, CUDA_R_16F, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(product(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_64F), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(product(CUDA_R_8F_E4M3, CUDA_R_32F, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
}

template <class E>
struct half_case {
  using type = E;
  static constexpr cudaDataType data = std::is_same_v<E, __half> ? CUDA_R_16F : CUDA_R_16BF;
};

TEST_F(Typed, VectorsOfHalves) {
  const auto check = [this]<class E>(half_case<E>) {
    constexpr cudaDataType type = half_case<E>::data;
    const size_t n = 9;
    const int count = static_cast<int>(n);
    const std::vector<E> x = elements<E>(n), y = elements<E>(n);
    const device_array<E> dx(x), dy(y);
    double squares = 0, sizes = 0, dot = 0;
    std::vector<double> sums;
    size_t largest = 0;
    for (size_t i = 0; i < n; ++i) {
      squares += value_of(x[i]) * value_of(x[i]);
      sizes += std::abs(value_of(x[i]));
      dot += value_of(x[i]) * value_of(y[i]);
      sums.push_back(value_of(y[i]) + 2 * value_of(x[i]));
      if (std::abs(value_of(x[i])) > std::abs(value_of(x[largest]))) largest = i;
    }
    E result(0.f);
    int at = 0;
    const float alpha = 2;
    ASSERT_EQ(cublasNrm2Ex(handle_, count, dx.get(), type, 1, &result, type, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(value_of(result), value_of(E(static_cast<float>(std::sqrt(squares)))));
    ASSERT_EQ(cublasAsumEx(handle_, count, dx.get(), type, 1, &result, type, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(value_of(result), sizes);
    ASSERT_EQ(cublasDotEx(handle_, count, dx.get(), type, 1, dy.get(), type, 1, &result, type, CUDA_R_32F),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(value_of(result), dot);
    ASSERT_EQ(cublasIamaxEx(handle_, count, dx.get(), type, 1, &at), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(at, static_cast<int>(largest) + 1);
    ASSERT_EQ(cublasAxpyEx(handle_, count, &alpha, CUDA_R_32F, dx.get(), type, 1, dy.get(), type, 1, CUDA_R_32F),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasScalEx(handle_, count, &alpha, CUDA_R_32F, dx.get(), type, 1, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSwapEx(handle_, count, dx.get(), type, 1, dy.get(), type, 1), CUBLAS_STATUS_SUCCESS);
    const std::vector<E> swapped = dx.read(), doubled = dy.read();
    for (size_t i = 0; i < n; ++i) {
      EXPECT_EQ(value_of(swapped[i]), sums[i]);
      EXPECT_EQ(value_of(doubled[i]), 2 * value_of(x[i]));
    }
    ASSERT_EQ(cublasCopyEx(handle_, count, dx.get(), type, 1, dy.get(), type, 1), CUBLAS_STATUS_SUCCESS);
    const E cosine(0.f), sine(1.f);
    ASSERT_EQ(cublasRotEx(handle_, count, dx.get(), type, 1, dy.get(), type, 1, &cosine, &sine, type, CUDA_R_32F),
              CUBLAS_STATUS_SUCCESS);
    const std::vector<E> turned = dy.read();
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(value_of(turned[i]), -sums[i]);
    EXPECT_EQ(cublasNrm2Ex(handle_, count, dx.get(), type, 1, &result, type, CUDA_R_64F), CUBLAS_STATUS_NOT_SUPPORTED);
  };
  check(half_case<__half>());
  check(half_case<__nv_bfloat16>());
}

TEST_F(Typed, VectorsOfNumbersAreThoseOfTheUntypedRoutines) {
  const device_array<double> x({3, -4});
  double norm = 0;
  ASSERT_EQ(cublasNrm2Ex(handle_, 2, x.get(), CUDA_R_64F, 1, &norm, CUDA_R_64F, CUDA_R_64F), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(norm, 5);
  EXPECT_EQ(cublasNrm2Ex(nullptr, 2, x.get(), CUDA_R_64F, 1, &norm, CUDA_R_64F, CUDA_R_64F),
            CUBLAS_STATUS_NOT_INITIALIZED);
}

}  // namespace
