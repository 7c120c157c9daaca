// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that declare the functions of the device library.
//
// The host's headers stay in force in both passes: glibc's `sqrtf` is a __host__ function, and Cohort's is a second,
// __device__ function of that name. clang selects by the side of the caller.
#pragma once

#define COHORT_DEVICE_FUNCTION static inline __attribute__((device, always_inline))
#define COHORT_BOTH_FUNCTION static inline __attribute__((host, device, always_inline))
