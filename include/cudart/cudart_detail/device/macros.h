// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the functions of the device library are declared.
//
// The host's headers stay in force in both passes: glibc's `sqrtf` is a __host__ function, and ours is a
// second, __device__ function of the same name. clang chooses between them by the caller's side.
#pragma once

#define COHORT_DEVICE_FUNCTION static inline __attribute__((device, always_inline))
#define COHORT_BOTH_FUNCTION static inline __attribute__((host, device, always_inline))
