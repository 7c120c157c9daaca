// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that declare the functions of the device library. A C++ file that clang does not compile as CUDA has those of
// both sides alone, as ordinary functions.
//
// The host's headers stay in force in both passes: glibc's `sqrtf` is a __host__ function, and Cohort's is a second,
// __device__ function of that name. clang selects by the side of the caller.
#pragma once

#define COHORT_DEVICE_FUNCTION static inline __attribute__((device, always_inline))
#if defined(__CUDA__)
#define COHORT_BOTH_MEMBER __attribute__((host, device, always_inline))
#else
#define COHORT_BOTH_MEMBER __attribute__((always_inline))
#endif
#define COHORT_BOTH_FUNCTION static inline COHORT_BOTH_MEMBER
