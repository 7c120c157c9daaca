// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on shared memory of another block of the cluster.
#include <cooperative_groups.h>

#include "../check.hpp"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) add_to_first(unsigned int* sums, int rounds) {
  __shared__ unsigned int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  unsigned int* first = cluster.map_shared_rank(&sum, 0);
  for (int round = 0; round < rounds; ++round) {
    if (cluster.block_rank() == 0) {
      atomicAdd(&sum, 1u);
    } else {
      atomicAdd(first, 1u);
    }
  }
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) sums[blockIdx.x / 4] = sum;
}

int main() {
  constexpr int rounds = 2000;
  unsigned int* sums = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&sums, 2 * sizeof(unsigned int)));
  add_to_first<<<8, 64>>>(sums, rounds);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i) expect_equal(sums[i], 4u * 64 * rounds, "sum of cluster", i);
  EXPECT_SUCCESS(cudaFree(sums));
  return result();
}
