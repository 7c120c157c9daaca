// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the runtime that kernels may make, and the streams of their launches. A call that is not declared for
// devices is a compile error that names it. cuda_runtime.h includes this file.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_runtime_api.h"

// Streams of each grid. A grid ends after the launches of the first one, which run one after another when all other
// work of the grid has ended. Launches of the second one are not ordered.
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

// Streams of launches of graphs.
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

#if defined(__CUDA__) && defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "cudart_detail/device/runtime_calls.h"
#endif

#include <cohort/base/user_macros/on.hpp>
