// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's qualifiers, spelled for clang compiling `.cu` sources for the CPU (cohortcc); empty in plain C and C++. Clang
// would ignore some marks on a CPU. They reach src/compiler/plugin as annotations or section names: "cohort.shared",
// ".cohort.managed" and "cohort.cluster_dims".
#pragma once

#include <cohort/base/user_macros/off.hpp>

#if defined(__CUDA__)

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ \
  __attribute__((shared)) __attribute__((annotate("cohort.shared"))) __attribute__((cohort_not_constructed))
// A section, because that mark also reaches declarations of other files' variables.
#define __managed__ __attribute__((device)) __attribute__((section(".cohort.managed")))

// Marks the lambda that the compiler writes around a reference to a kernel in device code.
#define __cohort_kernel_reference__ __attribute__((host, device, always_inline, annotate("cohort.kernel_reference")))

// The class of `*this`, which the compiler writes for `this->` in the condition of `if constexpr`.
template <class Object>
struct cohort_object;
template <class Object>
struct cohort_object<Object&> {
  typedef Object type;
};

// (max threads per block [, min blocks per SM [, max blocks per cluster]]); only the first has an effect. A function
// takes them, since the commas of a template's arguments divide those of a macro.
template <class Threads, class... Others>
__host__ __device__ constexpr Threads cohort_max_threads(Threads threads, Others...) {
  return threads;
}
#define __launch_bounds__(...) __attribute__((launch_bounds(cohort_max_threads(__VA_ARGS__))))
// (blocks in x [, in y [, in z]]): every launch of the kernel has clusters of that shape.
#define __cluster_dims__(...) __attribute__((annotate("cohort.cluster_dims", __VA_ARGS__)))
#define __block_size__(...) __attribute__((annotate("cohort.block_size")))
// No effect: clang allocates the registers.
#define __maxnreg__(...)
// No effect: CUDA allows a thread to read the parameter in place, and a copy is valid too.
#define __grid_constant__

// __noinline__ is a keyword of clang in CUDA sources.

#else  // a C or C++ file that calls the runtime

#define __host__
#define __device__
#define __global__
#define __constant__
#define __shared__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __grid_constant__

#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__ __inline__
// CUDA's host_defines.h also defines __restrict__, which is a keyword of clang and g++.
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __nv_pure__ __attribute__((pure))

// Marks of NVIDIA's headers that users' code sometimes copies.
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI

#include <cohort/base/user_macros/on.hpp>
