// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.hpp"

__device__ int counter = 10;
__device__ int* const pointer_to_counter = &counter;
__device__ const int limits[3] = {7, 8, 9};
static __device__ int same_name = 3;

__device__ int count_in_parts() { return atomicAdd(counter_as<int>, 1) + same_name++; }

__global__ void use_in_parts(int* out) {
  out[0] = counter;
  out[1] = *list[0];
  out[2] = weight<int> ++;
}
