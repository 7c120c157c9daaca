// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of float, half and bfloat16 as floats.
#pragma once

#include "libraries/cublas/element_types.hpp"

namespace cohort::cublas {

inline float load_float(cudaDataType type, const void* at, int64_t i) {
  switch (type) {
    case CUDA_R_16F:
      return computed<__half>::load(static_cast<const __half*>(at)[i]);
    case CUDA_R_16BF:
      return computed<__nv_bfloat16>::load(static_cast<const __nv_bfloat16*>(at)[i]);
    default:
      return static_cast<const float*>(at)[i];
  }
}
inline void store_float(cudaDataType type, void* at, int64_t i, float value) {
  switch (type) {
    case CUDA_R_16F:
      static_cast<__half*>(at)[i] = computed<__half>::store(value);
      return;
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16*>(at)[i] = computed<__nv_bfloat16>::store(value);
      return;
    default:
      static_cast<float*>(at)[i] = value;
  }
}

}  // namespace cohort::cublas
