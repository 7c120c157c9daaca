// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by groups, the primitives of pipelines, and CCCL's <cuda/barrier> and <cuda/pipeline> in one source: all of
// them declare parts of namespace cuda. CCCL's pipeline comes before the primitives, its barrier after the groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cub/block/block_reduce.cuh>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/stream_ref>

#include "../plugin/check.hpp"

namespace cg = cooperative_groups;

constexpr int threads = 96;

__global__ void copies(const int* in, int* reversed, int* rotated) {
  __shared__ int by_group[threads];
  __shared__ int by_pipeline[threads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, by_group, in, cuda::aligned_size_t<16>(sizeof by_group));
  const int i = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(&by_pipeline[i], &in[i], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  cg::wait(block);
  block.sync();
  reversed[i] = by_group[threads - 1 - i];
  rotated[i] = by_pipeline[(i + 1) % threads];
}

int main() {
  int *in, *reversed, *rotated;
  EXPECT_SUCCESS(cudaMallocManaged(&in, threads * sizeof(int)));
  EXPECT_SUCCESS(cudaMallocManaged(&reversed, threads * sizeof(int)));
  EXPECT_SUCCESS(cudaMallocManaged(&rotated, threads * sizeof(int)));
  for (int i = 0; i < threads; ++i) in[i] = i * i + 3;
  copies<<<1, threads>>>(in, reversed, rotated);
  cuda::stream_ref(static_cast<cudaStream_t>(nullptr)).wait();  // newer versions use the driver API
  for (int i = 0; i < threads; ++i) {
    expect_equal(reversed[i], in[threads - 1 - i], "cooperative_groups::memcpy_async", i);
    expect_equal(rotated[i], in[(i + 1) % threads], "__pipeline_memcpy_async", i);
  }
  return result();
}
