// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's <cooperative_groups/memcpy_async.h>: asynchronous copies by groups.
#pragma once

#include "../../cohort/base/user_macros/off.hpp"

#include "../../cohort/collective/memcpy_async.hpp"

#include "../cooperative_groups.h"

namespace cooperative_groups {

using cohort::memcpy_async;
using cohort::wait;
using cohort::wait_prior;

}  // namespace cooperative_groups

// CUDA's C++ library declares aligned_size_t itself where it is on the compiler's path. The header depends on its
// version, which may be newer than the toolkit's.
#if __has_include(<cuda/__memory/aligned_size.h>)
#include <cuda/__memory/aligned_size.h>
#elif __has_include(<cuda/__barrier/aligned_size.h>)
#include <cuda/__barrier/aligned_size.h>
#elif defined(COHORT_CUDA_SCOPES) && __has_include(<cuda/barrier>)
#include <cuda/barrier>
#else
namespace cuda {

using cohort::aligned_size_t;

}  // namespace cuda
#endif

#include "../../cohort/base/user_macros/on.hpp"
