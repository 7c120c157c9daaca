// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's control of a profiler. There is none: start and stop have no effect, as cudaProfilerStart's.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda.h"

// The form of a profiler's output, for cuProfilerInitialize.
typedef enum CUoutput_mode_enum {
  CU_OUT_KEY_VALUE_PAIR = 0,
  CU_OUT_CSV = 1,
} CUoutput_mode;

#if defined(__cplusplus)
extern "C" {
#endif

// CUDA_ERROR_PROFILER_DISABLED for valid arguments: no profiler takes a configuration. CUDA_ERROR_INVALID_VALUE where a
// name is null or the mode is none of the enumeration, CUDA_ERROR_INVALID_CONTEXT without a current context.
CUresult cuProfilerInitialize(const char* config_file, const char* output_file, CUoutput_mode mode);

// CUDA_ERROR_INVALID_CONTEXT without a current context.
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#if defined(__cplusplus)
}
#endif

#include <cohort/base/user_macros/on.hpp>
