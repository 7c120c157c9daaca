// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA runtime API with C linkage, for sources of cohortcc and for plain C and C++. A call that Cohort lacks is not
// declared, so using it is a compile error that names it. The rules are those of CUDA 13; docs/cuda-runtime.md lists
// the calls that do less than on a GPU.
//
// Every call returns its error and keeps it for cudaGetLastError. An error that ended a kernel (700, 710, 719, ...)
// stays: all later calls that touch the device return it until cudaDeviceReset. All calls may come from any thread.
#pragma once

#include <cohort/base/user_macros/off.hpp>

// Users' headers test this macro to see whether the file was included.
#define __CUDA_RUNTIME_API_H__

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#include "cudart_detail/api/per_thread.h"
#endif

#include "cudart_detail/types/cuda_version.h"

#define CUDART_VERSION COHORT_CUDA_VERSION
#define __CUDART_API_VERSION CUDART_VERSION

#include "driver_types.h"
#include "library_types.h"
#include "surface_types.h"
#include "texture_types.h"

#ifndef CUDARTAPI
#define CUDARTAPI
#endif

// A call that kernels may make, too.
#if defined(__CUDA__)
#define COHORT_BOTH_SIDES __attribute__((host, device))
#else
#define COHORT_BOTH_SIDES
#endif

// Default arguments, which C does not have.
#if defined(__cplusplus)
#define COHORT_DEFAULT(value) = value
extern "C" {
#else
#define COHORT_DEFAULT(value)
#endif

#include "cudart_detail/api/arrays.h"
#include "cudart_detail/api/device.h"
#include "cudart_detail/api/execution.h"
#include "cudart_detail/api/external.h"
#include "cudart_detail/api/graph.h"
#include "cudart_detail/api/ipc.h"
#include "cudart_detail/api/launch.h"
#include "cudart_detail/api/library.h"
#include "cudart_detail/api/logs.h"
#include "cudart_detail/api/memory.h"
#include "cudart_detail/api/stream.h"
#include "cudart_detail/api/textures.h"

#if defined(__cplusplus)
}
#endif
#undef COHORT_BOTH_SIDES
#undef COHORT_DEFAULT

#include <cohort/base/user_macros/on.hpp>
