// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/cublas/typed_products.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "libraries/cublas/half_arrays.hpp"

namespace cohort::cublas {

namespace {

constexpr product_types combinations[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    {CUBLAS_COMPUTE_16F_PEDANTIC, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    {CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I},
    {CUBLAS_COMPUTE_32I_PEDANTIC, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I},
#define COHORT_FLOAT_PRODUCTS(compute)                                                              \
  {compute, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF}, {compute, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F},   \
      {compute, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F}, {compute, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F}, \
      {compute, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F}, {compute, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F}, \
      {compute, CUDA_C_32F, CUDA_C_8I, CUDA_C_32F}, {                                               \
    compute, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F                                                     \
  }
    COHORT_FLOAT_PRODUCTS(CUBLAS_COMPUTE_32F),
    COHORT_FLOAT_PRODUCTS(CUBLAS_COMPUTE_32F_PEDANTIC),
#undef COHORT_FLOAT_PRODUCTS
    {CUBLAS_COMPUTE_32F_FAST_16F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F_FAST_16F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_32F_EMULATED_16BFX9, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F_EMULATED_16BFX9, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
    {CUBLAS_COMPUTE_64F_PEDANTIC, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {CUBLAS_COMPUTE_64F_PEDANTIC, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
    {CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
};

// op(A) * op(B) as numbers of type W, without gaps between its columns.
template <class W, class E>
std::vector<W> computed_product(const gemm_shape& s, const E* a, const E* b) {
  const std::vector<W> left = load_matrix<W>(a, s.rows_of_a(), s.columns_of_a(), s.lda);
  const std::vector<W> right = load_matrix<W>(b, s.rows_of_b(), s.columns_of_b(), s.ldb);
  std::vector<W> result(static_cast<size_t>(s.m) * static_cast<size_t>(s.n));
  if (s.k == 0) return result;
  const auto distance = [](int64_t rows) { return rows > 1 ? rows : 1; };
  W one{};
  *numbers(&one) = 1;
  multiply({s.transa, s.transb, s.m, s.n, s.k, distance(s.rows_of_a()), distance(s.rows_of_b()), s.m}, one, left.data(),
           right.data(), W{}, result.data());
  return result;
}

// Elements of type AB, results of type E, computed in numbers of type W.
template <class W, class AB, class E>
void multiply_as(const gemm_shape& s, const W& alpha, const void* a, const void* b, const W& beta, void* c) {
  const auto* const left = static_cast<const AB*>(a);
  const auto* const right = static_cast<const AB*>(b);
  auto* const result = static_cast<E*>(c);
  if constexpr (std::is_same_v<AB, W> && std::is_same_v<E, W>) {
    return multiply(s, alpha, left, right, beta, result);
  } else {
    const bool adds = !is_zero(beta);
    std::vector<W> product = is_zero(alpha) ? std::vector<W>(static_cast<size_t>(s.m) * static_cast<size_t>(s.n))
                                            : computed_product<W>(s, left, right);
    std::vector<W> before(adds ? static_cast<size_t>(s.m) : 0);
    for (int64_t column = 0; column < s.n; ++column) {
      W* const terms = product.data() + column * s.m;
      E* const stored = result + column * s.ldc;
      if (adds) load_array(stored, before.data(), s.m);
      for (int64_t row = 0; row < s.m; ++row) {
        arithmetic_of<W>& sum = *numbers(terms + row);
        sum = number(alpha) * sum;
        if (adds) sum += number(beta) * number(before[static_cast<size_t>(row)]);
      }
      store_array(terms, stored, s.m);
    }
  }
}

// Integers: the sum of products is exact in double, and the result is its low 32 bits.
void multiply_integers(const gemm_shape& s, int32_t alpha, const void* a, const void* b, int32_t beta, void* c) {
  const std::vector<double> product =
      computed_product<double>(s, static_cast<const int8_t*>(a), static_cast<const int8_t*>(b));
  for (int64_t column = 0; column < s.n; ++column) {
    for (int64_t row = 0; row < s.m; ++row) {
      const double term = product[static_cast<size_t>(row + column * s.m)];
      int32_t& stored = static_cast<int32_t*>(c)[row + column * s.ldc];
      uint64_t sum = static_cast<uint64_t>(int64_t{alpha}) * static_cast<uint64_t>(static_cast<int64_t>(term));
      if (beta != 0) sum += static_cast<uint64_t>(int64_t{beta}) * static_cast<uint64_t>(int64_t{stored});
      stored = static_cast<int32_t>(static_cast<uint32_t>(sum));
    }
  }
}

}  // namespace

const product_types* find_product_types(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c) {
  for (const product_types& types : combinations) {
    if (types.compute == compute && types.ab == a && types.ab == b && types.c == c) return &types;
  }
  return nullptr;
}

size_t size_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
    case CUDA_C_8I:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_C_64F:
      return 16;
    default:
      return 8;
  }
}

any_factor load_factor(cudaDataType type, const void* at) {
  any_factor value;
  std::memcpy(&value, at, size_of(type));
  return value;
}

bool is_zero_factor(cudaDataType type, const any_factor& value) {
  switch (type) {
    case CUDA_R_16F:
      return __half2float(value.h) == 0;
    case CUDA_R_32F:
      return value.f == 0;
    case CUDA_R_64F:
      return value.d == 0;
    case CUDA_C_32F:
      return is_zero(value.c);
    case CUDA_C_64F:
      return is_zero(value.z);
    default:
      return value.i == 0;
  }
}

void multiply_typed(const product_types& types, const gemm_shape& s, const any_factor& alpha, const void* a,
                    const void* b, const any_factor& beta, void* c) {
  const bool is_half = types.ab == CUDA_R_16F;
  switch (types.scale) {
    case CUDA_R_16F:
      return multiply_as<float, __half, __half>(s, __half2float(alpha.h), a, b, __half2float(beta.h), c);
    case CUDA_R_32I:
      return multiply_integers(s, alpha.i, a, b, beta.i, c);
    case CUDA_R_64F:
      return multiply_as<double, double, double>(s, alpha.d, a, b, beta.d, c);
    case CUDA_C_64F:
      return multiply_as<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>(s, alpha.z, a, b, beta.z, c);
    case CUDA_C_32F:
      return types.ab == CUDA_C_8I ? multiply_as<cuComplex, complex_int8, cuComplex>(s, alpha.c, a, b, beta.c, c)
                                   : multiply_as<cuComplex, cuComplex, cuComplex>(s, alpha.c, a, b, beta.c, c);
    default:
      break;
  }
  if (types.ab == CUDA_R_32F) return multiply_as<float, float, float>(s, alpha.f, a, b, beta.f, c);
  if (types.ab == CUDA_R_8I) return multiply_as<float, int8_t, float>(s, alpha.f, a, b, beta.f, c);
  if (types.c == CUDA_R_32F) {
    return is_half ? multiply_as<float, __half, float>(s, alpha.f, a, b, beta.f, c)
                   : multiply_as<float, __nv_bfloat16, float>(s, alpha.f, a, b, beta.f, c);
  }
  return is_half ? multiply_as<float, __half, __half>(s, alpha.f, a, b, beta.f, c)
                 : multiply_as<float, __nv_bfloat16, __nv_bfloat16>(s, alpha.f, a, b, beta.f, c);
}

}  // namespace cohort::cublas
