// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library for ctypes: the sum of values in the memory of another library, in the stream of a third one.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sum_kernel(const float* values, int n, float* result) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  const float total = cg::reduce(warp, i < n ? values[i] : 0.0f, cg::plus<float>());
  if (warp.thread_rank() == 0) atomicAdd(result, total);
}

extern "C" float sum(const float* values, int n, cudaStream_t stream) {
  float *result = nullptr, copy = 0;
  if (cudaMallocManaged(&result, sizeof *result) != cudaSuccess) return -1;
  *result = 0;
  sum_kernel<<<(n + 95) / 96, 96, 0, stream>>>(values, n, result);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return -2;
  copy = *result;
  cudaFree(result);
  return copy;
}
