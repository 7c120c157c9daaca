// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver API for the CPU: the part that host code needs for contexts, peers, memory, streams and launches,
// with CUDA's numbers. A program may mix it with the runtime API: a device's primary context is the runtime's context.
//
// A kernel comes from the program itself (cudaGetFuncBySymbol, cuFuncGetModule) or from an image of cohortcc -fatbin
// or -ptx (cuModuleLoad, cuLibraryLoadData). A CPU runs no PTX and no cubin of nvcc: loading them returns
// CUDA_ERROR_INVALID_IMAGE. All contexts of a device share its memory, streams and state. Every call returns its error.
// An error that ended a kernel stays until the device is reset; the end of the device's last context resets it too.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#define __cuda_cuda_h__  // users' headers compile their part for the driver API if this name exists
#include "cudart_detail/types/cuda_version.h"

#define CUDA_VERSION COHORT_CUDA_VERSION
#define __CUDA_API_VERSION CUDA_VERSION

#include "driver_types.h"

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#include "cudart_detail/driver/per_thread.h"
#endif

#include "cudart_detail/driver/errors.h"
#include "cudart_detail/driver/types.h"

#if defined(__cplusplus)
extern "C" {
#endif

#include "cudart_detail/driver/array.h"
#include "cudart_detail/driver/context.h"
#include "cudart_detail/driver/diagnostics.h"
#include "cudart_detail/driver/external.h"
#include "cudart_detail/driver/graph.h"
#include "cudart_detail/driver/ipc.h"
#include "cudart_detail/driver/launch.h"
#include "cudart_detail/driver/library.h"
#include "cudart_detail/driver/memory.h"
#include "cudart_detail/driver/memory_pool.h"
#include "cudart_detail/driver/multicast.h"
#include "cudart_detail/driver/stream.h"
#include "cudart_detail/driver/tensor_map.h"
#include "cudart_detail/driver/virtual_memory.h"

#if defined(__cplusplus)
}

// The signature of CUDA 12 and earlier.
inline CUresult cuCtxCreate_v4(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return cuCtxCreate_v2(pctx, flags, dev);
}
#endif

#include <cohort/base/user_macros/on.hpp>
