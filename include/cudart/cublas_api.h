/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * cuBLAS on the CPU: the API with handles. docs/libraries.md lists what it has. */
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include <stdint.h>

#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif
#include "cudart_detail/cublas/helpers.h"
#include "cudart_detail/cublas/types.h"

#define CUBLAS_API_H_ /* helpers of samples test for the include guard of NVIDIA's header */

#ifdef __cplusplus
extern "C" {
#endif

#define COHORT_ROUTINE(name, body, parameters, arguments) cublasStatus_t name parameters;
#include "cudart_detail/cublas/each_type.inc"
#ifdef __cplusplus /* C has no type for half precision */
#include "cudart_detail/cublas/typed_routines_by_index.inc"
#endif
#undef COHORT_ROUTINE

#ifdef __cplusplus
}
#endif

#include <cohort/base/user_macros/on.hpp>
