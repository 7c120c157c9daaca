// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver API for the CPU: the part that host code needs for contexts, peers, memory, streams and launches,
// with CUDA's numbers. It and the runtime API may be mixed freely: a device's primary context is what the runtime uses.
//
// A kernel comes from the program itself (cudaGetFuncBySymbol, cuFuncGetModule); there is no PTX and no cubin on a CPU,
// so that loading an image is CUDA_ERROR_INVALID_IMAGE. All contexts of a device share its memory, streams and state.
// Every call returns its error; an error that killed a kernel stays until the device is reset, which the end of its
// last context does too.
#pragma once

#define CUDA_VERSION 13000
#define __CUDA_API_VERSION CUDA_VERSION

#include "driver_types.h"

#include "cudart_detail/driver/errors.h"
#include "cudart_detail/driver/types.h"

#if defined(__cplusplus)
extern "C" {
#endif

#include "cudart_detail/driver/context.h"
#include "cudart_detail/driver/launch.h"
#include "cudart_detail/driver/memory.h"
#include "cudart_detail/driver/stream.h"

#if defined(__cplusplus)
}

// The form of CUDA 12 and before.
inline CUresult cuCtxCreate_v4(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return cuCtxCreate_v2(pctx, flags, dev);
}
#endif
