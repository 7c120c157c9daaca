// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's vector types and dim3, with CUDA's sizes and alignments. Plain aggregates, also in C.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#if defined(__cplusplus) && (defined(__CUDACC__) || defined(__CUDA__))
#define COHORT_VECTOR_HOST_DEVICE __attribute__((host)) __attribute__((device))
#else
#define COHORT_VECTOR_HOST_DEVICE
#endif

// NVIDIA's headers put these around vector types that CUDA 13 deprecates. Here they are not deprecated.
#define __NV_SILENCE_HOST_DEPRECATION_BEGIN
#define __NV_SILENCE_HOST_DEPRECATION_END
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END

// Vectors of 2 and 4 elements are aligned for one load, up to 16 bytes. Vectors of 1 and 3 elements have the element's
// alignment.
#define COHORT_VECTOR_TYPES(name, element, align2, align4)                 \
  struct name##1 { element x; };                                           \
  struct __attribute__((aligned(align2))) name##2 { element x, y; };       \
  struct name##3 { element x, y, z; };                                     \
  struct __attribute__((aligned(align4))) name##4 { element x, y, z, w; }; \
  typedef struct name##1 name##1;                                          \
  typedef struct name##2 name##2;                                          \
  typedef struct name##3 name##3;                                          \
  typedef struct name##4 name##4;

// The two explicit alignments that CUDA 13 gave to vectors of four 8-byte elements.
#define COHORT_VECTOR_TYPES_ALIGNED(name, element)                         \
  struct __attribute__((aligned(16))) name##4_16a { element x, y, z, w; }; \
  struct __attribute__((aligned(32))) name##4_32a { element x, y, z, w; }; \
  typedef struct name##4_16a name##4_16a;                                  \
  typedef struct name##4_32a name##4_32a;

COHORT_VECTOR_TYPES(char, signed char, 2, 4)
COHORT_VECTOR_TYPES(uchar, unsigned char, 2, 4)
COHORT_VECTOR_TYPES(short, short, 4, 8)
COHORT_VECTOR_TYPES(ushort, unsigned short, 4, 8)
COHORT_VECTOR_TYPES(int, int, 8, 16)
COHORT_VECTOR_TYPES(uint, unsigned int, 8, 16)
COHORT_VECTOR_TYPES(long, long, (2 * sizeof(long)), 16)
COHORT_VECTOR_TYPES(ulong, unsigned long, (2 * sizeof(long)), 16)
COHORT_VECTOR_TYPES(longlong, long long, 16, 16)
COHORT_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
COHORT_VECTOR_TYPES(float, float, 8, 16)
COHORT_VECTOR_TYPES(double, double, 16, 16)
COHORT_VECTOR_TYPES_ALIGNED(long, long)
COHORT_VECTOR_TYPES_ALIGNED(ulong, unsigned long)
COHORT_VECTOR_TYPES_ALIGNED(longlong, long long)
COHORT_VECTOR_TYPES_ALIGNED(ulonglong, unsigned long long)
COHORT_VECTOR_TYPES_ALIGNED(double, double)

#undef COHORT_VECTOR_TYPES
#undef COHORT_VECTOR_TYPES_ALIGNED

// Extent of a grid or a block; a component that is not given is 1.
struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  COHORT_VECTOR_HOST_DEVICE constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  COHORT_VECTOR_HOST_DEVICE constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  COHORT_VECTOR_HOST_DEVICE constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#include <cohort/base/user_macros/on.hpp>
