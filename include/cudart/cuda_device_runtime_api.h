// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the runtime that kernels may make. Kernels cannot launch kernels or graphs here: a call of that kind is
// not declared for devices, so its use is a compile error that names it.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_runtime_api.h"

// The streams of launches by kernels.
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

#include <cohort/base/user_macros/on.hpp>
