// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that allocates memory and makes a stream, which another library of the process uses (work.cu).
#include <cuda_runtime.h>

static cudaStream_t stream;

extern "C" int* allocate(int count) {
  int* memory = nullptr;
  return cudaMalloc(&memory, count * sizeof *memory) == cudaSuccess ? memory : nullptr;
}
extern "C" cudaStream_t make_stream() { return cudaStreamCreate(&stream) == cudaSuccess ? stream : nullptr; }
extern "C" int last_error() { return cudaGetLastError(); }
