// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that runs a kernel on the memory and in the stream of another library (memory.cu), and frees the memory.
#include <cuda_runtime.h>

__global__ void fill(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }

extern "C" int work(int* memory, int count, cudaStream_t stream) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess || attributes.type != cudaMemoryTypeDevice) return 1;
  fill<<<1, count, 0, stream>>>(memory);
  int copy[32] = {};
  if (cudaMemcpyAsync(copy, memory, count * sizeof *copy, cudaMemcpyDeviceToHost, stream) != cudaSuccess) return 2;
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 3;
  for (int i = 0; i < count; ++i) {
    if (copy[i] != 3 * i) return 4;
  }
  return cudaFree(memory) == cudaSuccess ? 0 : 5;
}
// Sets the last error, which a call of the other library then returns.
extern "C" void fail() { cudaSetDevice(1000); }
