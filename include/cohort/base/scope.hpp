// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a memory operation or a fence must be seen. Where CUDA's C++ library is on the compiler's path, this is its
// cuda::thread_scope, so that a group's scope can be given to its templates; elsewhere the same names and values.
#pragma once

#include "config.hpp"

#if COHORT_MAY_HAVE_CUDA_LIBRARY && __has_include(<cuda/std/__atomic/scopes.h>)
#include <cuda/std/__atomic/scopes.h>
#define COHORT_HAS_CUDA_SCOPES 1
#elif COHORT_MAY_HAVE_CUDA_LIBRARY && __has_include(<cuda/std/version>) && __has_include(<cuda/atomic>)
#include <cuda/atomic>  // older ones have no smaller header for it
#define COHORT_HAS_CUDA_SCOPES 1
#else
#define COHORT_HAS_CUDA_SCOPES 0
#endif

namespace cohort {

#if COHORT_HAS_CUDA_SCOPES
using ::cuda::thread_scope;
using ::cuda::thread_scope_block;
using ::cuda::thread_scope_device;
using ::cuda::thread_scope_system;
using ::cuda::thread_scope_thread;
#else
enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10,
};
#endif

}  // namespace cohort
