// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

extern __device__ int counter;
extern __device__ int* const pointer_to_counter;
extern __device__ const int limits[3];

// Both files define these templates; the linker keeps one definition of each.
template <class T>
__device__ T* counter_as = &counter;
template <class T>
__device__ T weight = T(4);
inline __device__ int* list[2] = {&counter, nullptr};

__device__ int count_in_parts();
__global__ void use_in_parts(int* out);
