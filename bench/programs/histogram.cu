// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block counts in shared memory.
#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int threads = 256;

__global__ void count_bytes(const unsigned char* in, int n, unsigned* counts) {
  __shared__ unsigned count[256];
  count[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&count[in[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}

}  // namespace

void histogram(const problems::histogram& p) {
  count_bytes<<<min(240, (p.n + threads - 1) / threads), threads>>>(p.in, p.n, p.counts);
  finish("histogram");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
