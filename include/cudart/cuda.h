// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For sources that include <cuda.h> beside the runtime: the version and the handles that both share. The driver API
// itself does not exist: using one of its calls is a compile error that names it.
#pragma once

#include "driver_types.h"

#define CUDA_VERSION 13000
#define __CUDA_API_VERSION CUDA_VERSION

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUfunc_st* CUfunction;
