// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code of one file used by another.
#pragma once

struct shape {
  __device__ virtual int area() const = 0;
};
struct square : shape {
  int side;
  __device__ explicit square(int s) : side(s) {}
  __device__ int area() const override;
};

extern __device__ int total;
extern __constant__ int factors[4];
extern __managed__ int steps;
__device__ int scaled_sum(const int* values, int count);
__device__ int block_sum(int value);  // uses shared memory
extern "C" __device__ int twice(int x);
__global__ void kernel_of_parts(int* out);

// CUDA's system call: both files call the function, neither defines it.
extern "C" __device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                                        size_t character_bytes);

inline __device__ int from_header(int x) {
  __shared__ int slots[32];
  if (threadIdx.x >= blockDim.x) __assertfail("index in the block", __FILE__, __LINE__, __func__, 1);
  slots[threadIdx.x % 32] = x;
  __syncthreads();
  const int got = slots[(threadIdx.x + 1) % 32];
  __syncthreads();
  return got;
}
