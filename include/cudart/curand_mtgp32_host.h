// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets up MTGP32 states in device memory for kernels.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "curand.h"
#include "curand_mtgp32.h"

/// Copies parameters to device memory.
/// @param params 200 sets, such as `mtgp32dc_params_fast_11213`
/// @return CURAND_STATUS_INITIALIZATION_FAILED where the copy fails
static inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[], mtgp32_kernel_params_t* p) {
  const cudaError_t copied = cudaMemcpy(p->set, params, sizeof p->set, cudaMemcpyHostToDevice);
  return copied == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}

/// Sets up states in device memory. State i takes set i of the parameters and a seed of its own.
/// @param k the parameters in device memory
/// @param n number of states, at most 200
/// @return CURAND_STATUS_OUT_OF_RANGE for other numbers of states, CURAND_STATUS_INITIALIZATION_FAILED where a copy
/// fails
static inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t* s, const mtgp32_params_fast_t params[],
                                                         mtgp32_kernel_params_t* k, int n, unsigned long long seed) {
  if (n < 0 || n > CURAND_NUM_MTGP32_PARAMS) return CURAND_STATUS_OUT_OF_RANGE;
  for (int i = 0; i < n; ++i) {
    curandStateMtgp32_t state = {};
    cohort_mtgp32_init(params[i], cohort_mtgp32_seed(seed, static_cast<unsigned int>(i)), state.s);
    state.pIdx = i;
    state.k = k;
    if (cudaMemcpy(&s[i], &state, sizeof state, cudaMemcpyHostToDevice) != cudaSuccess)
      return CURAND_STATUS_INITIALIZATION_FAILED;
  }
  return CURAND_STATUS_SUCCESS;
}

#include <cohort/base/user_macros/on.hpp>
