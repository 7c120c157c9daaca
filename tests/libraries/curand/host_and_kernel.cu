// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A generator of the library and the states of a kernel draw the same numbers: lane i of the library is subsequence i.
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>

constexpr int lanes = 300;

__global__ void draw(unsigned int* out) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  curandStateXORWOW_t state;
  curand_init(1234, lane, 2, &state);
  out[lane] = curand(&state);
}

int main() {
  unsigned int *of_library, *of_kernel;
  if (cudaMallocManaged(&of_library, lanes * 4) != cudaSuccess) return 1;
  if (cudaMallocManaged(&of_kernel, lanes * 4) != cudaSuccess) return 1;
  curandGenerator_t generator;
  if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW) != CURAND_STATUS_SUCCESS) return 1;
  if (curandSetPseudoRandomGeneratorSeed(generator, 1234) != CURAND_STATUS_SUCCESS) return 1;
  if (curandSetGeneratorOffset(generator, 2 * 4096) != CURAND_STATUS_SUCCESS) return 1;
  if (curandGenerate(generator, of_library, lanes) != CURAND_STATUS_SUCCESS) return 1;
  draw<<<3, 128>>>(of_kernel);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int failures = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    if (of_library[lane] == of_kernel[lane]) continue;
    ++failures;
    std::printf("lane %d: %x of the library, %x of the kernel\n", lane, of_library[lane], of_kernel[lane]);
  }
  return failures != 0 || curandDestroyGenerator(generator) != CURAND_STATUS_SUCCESS;
}
