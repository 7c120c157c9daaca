/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * cuBLAS on the CPU, under the names that programs use. */
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cublas_api.h"
#include "cudart_detail/cublas/v2_names.h"
#ifdef __cplusplus
#include "cudart_detail/cublas/compute_types.h"
#endif

#include <cohort/base/user_macros/on.hpp>
