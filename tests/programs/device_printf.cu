// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf from kernels with the formats people use. One thread at a time prints, so the order is known; the test
// compares the output with device_printf.expected.
#include <cuda_runtime.h>
#include <stdio.h>

__device__ const char* const words[] = {"zero", "one", "two"};

template <typename T>
__device__ void show(const char* what, const char* format, T value) {
  printf("%s: ", what);
  printf(format, value);
  printf("\n");
}

__global__ void formats() {
  if (threadIdx.x != 3) return;
  printf("Hello from block %d, thread %d\n", blockIdx.x, threadIdx.x);
  printf("%5d|%-5d|%05d|%+d|%x|%X|%#x|%o\n", 42, 42, 42, 42, 255, 255, 255, 8);
  printf("%f %.3f %8.2f %e %g %G\n", 1.5, 3.14159, -2.5, 12345.678, 0.0001, 1e20);
  printf("%u %lu %llu %ld %lld\n", 4000000000u, 123456789012ul, 18446744073709551615ull, -5l, -9223372036854775807ll);
  printf("%c%c%c %s %10s|%-10s| %%\n", 'a', 'b', 'c', words[2], "right", "left");
  const float f = 0.1f;
  printf("float %f, half of it %f, chars %d %d\n", f, f / 2, (char)-1, (unsigned char)255);
  printf("%6d %.2f\n", 7, 2.71828);
  show("int", "%d", 7);
  show("double", "%.2f", 0.125);
  show("text", "%s", words[1]);
  const int printed = printf("%d and %d\n", 1, 2);
  printf("two arguments: %d\n", printed);
}

__global__ void turns(int* turn) {
  for (int i = 0; i < (int)blockDim.x; ++i) {
    if ((int)threadIdx.x == i) printf("thread %d of %d\n", i, blockDim.x);
    __syncthreads();
  }
}

int main() {
  printf("before\n");
  fflush(stdout);
  formats<<<1, 8>>>();
  cudaDeviceSynchronize();
  printf("between\n");
  turns<<<1, 4>>>(nullptr);
  const cudaError_t e = cudaDeviceSynchronize();
  printf("after: %s\n", cudaGetErrorString(e));
  return e != cudaSuccess;
}
