// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of the types that a cudaDataType names, and their conversions to the numbers of BLAS.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include <cstdint>

#include "libraries/common/numbers.hpp"

namespace cohort::cublas {

struct complex_int8 {
  int8_t x, y;
};

// The number of BLAS in which elements of a type are computed: half precision in float, integers in double, which holds
// all their sums of products.
template <class E>
struct computed {
  using type = E;
  static E load(E value) { return value; }
  static E store(E value) { return value; }
};
template <>
struct computed<__half> {
  using type = float;
  static float load(__half value) { return __half2float(value); }
  static __half store(float value) { return __float2half_rn(value); }
};
template <>
struct computed<__nv_bfloat16> {
  using type = float;
  static float load(__nv_bfloat16 value) { return __bfloat162float(value); }
  static __nv_bfloat16 store(float value) { return __float2bfloat16_rn(value); }
};
template <>
struct computed<int8_t> {
  using type = float;
  static float load(int8_t value) { return value; }
};
template <>
struct computed<complex_int8> {
  using type = cuComplex;
  static cuComplex load(complex_int8 value) { return {static_cast<float>(value.x), static_cast<float>(value.y)}; }
};

template <class E>
struct element_type {
  using type = E;
};

// Calls `use(element_type<E>)` for the type of elements; returns `otherwise` for a type that BLAS does not compute
// with.
template <class Result, class Use>
Result with_element_type(cudaDataType type, Result otherwise, Use&& use) {
  switch (type) {
    case CUDA_R_32F:
      return use(element_type<float>());
    case CUDA_R_64F:
      return use(element_type<double>());
    case CUDA_C_32F:
      return use(element_type<cuComplex>());
    case CUDA_C_64F:
      return use(element_type<cuDoubleComplex>());
    case CUDA_R_16F:
      return use(element_type<__half>());
    case CUDA_R_16BF:
      return use(element_type<__nv_bfloat16>());
    default:
      return otherwise;
  }
}

}  // namespace cohort::cublas
