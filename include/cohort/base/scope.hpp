// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads for which a memory operation or a fence is ordered. If CUDA's C++ library is on the compiler's path, this
// is its cuda::thread_scope, and a group's scope fits its templates. Otherwise names and values are equal to the
// library's.
#pragma once

#include "config.hpp"

// The header that declares cuda::thread_scope: older libraries have no smaller one than <cuda/atomic>.
#if COHORT_MAY_HAVE_CUDA_LIBRARY && __has_include(<cuda/std/__atomic/scopes.h>)
#define COHORT_CUDA_SCOPES <cuda/std/__atomic/scopes.h>
#elif COHORT_MAY_HAVE_CUDA_LIBRARY && __has_include(<cuda/std/version>) && __has_include(<cuda/atomic>)
#define COHORT_CUDA_SCOPES <cuda/atomic>
#endif
#ifdef COHORT_CUDA_SCOPES
#include COHORT_CUDA_SCOPES
#endif

namespace cohort {

#ifdef COHORT_CUDA_SCOPES
using ::cuda::thread_scope;
using ::cuda::thread_scope_block;
using ::cuda::thread_scope_device;
using ::cuda::thread_scope_system;
using ::cuda::thread_scope_thread;
#else
/// The threads that a memory operation or a fence is ordered for (CUDA's thread_scope).
enum thread_scope {
  thread_scope_system = 0,   ///< all threads of the host and of all devices
  thread_scope_device = 1,   ///< all threads of the device
  thread_scope_block = 2,    ///< all threads of the block
  thread_scope_thread = 10,  ///< only the calling thread
};
#endif

}  // namespace cohort
