// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that take any group: thread_group by value and by reference, dynamic partitions nested in each other,
// and printf from the leaders, in the style of the first programs with cooperative groups.
#include <cooperative_groups.h>
#include <stdio.h>

using namespace cooperative_groups;

__device__ int sumReduction(thread_group g, int* x, int val) {
  int lane = g.thread_rank();

  for (int i = g.size() / 2; i > 0; i /= 2) {
    x[lane] = val;
    g.sync();
    if (lane < i) val += x[lane + i];
    g.sync();
  }
  return g.thread_rank() == 0 ? val : -1;
}

__device__ void countMembers(const thread_group& g, int* counter) {
  atomicAdd(counter, 1);
  sync(g);
}

__global__ void cgkernel(int* results) {
  thread_block threadBlockGroup = this_thread_block();
  int threadBlockGroupSize = threadBlockGroup.size();
  extern __shared__ int workspace[];
  __shared__ int members;

  int input = threadBlockGroup.thread_rank();
  int expectedOutput = (threadBlockGroupSize - 1) * threadBlockGroupSize / 2;
  int output = sumReduction(threadBlockGroup, workspace, input);
  if (threadBlockGroup.thread_rank() == 0) {
    printf(" Sum of all ranks 0..%d in threadBlockGroup is %d (expected %d)\n", threadBlockGroupSize - 1, output,
           expectedOutput);
    results[0] = output == expectedOutput;
    members = 0;
  }
  threadBlockGroup.sync();

  // Dynamic tiles of 16, and dynamic tiles of 4 in each of them.
  thread_group tile16 = tiled_partition(threadBlockGroup, 16);
  int workspaceOffset = threadBlockGroup.thread_rank() - tile16.thread_rank();
  input = tile16.thread_rank();
  expectedOutput = 15 * 16 / 2;
  output = sumReduction(tile16, workspace + workspaceOffset, input);
  if (tile16.thread_rank() == 0) {
    printf("   Sum of all ranks 0..15 in this tiledPartition16 group is %d (expected %d)\n", output, expectedOutput);
    results[1 + threadBlockGroup.thread_rank() / 16] = output == expectedOutput;
  }
  tile16.sync();
  thread_group tile4 = tiled_partition(tile16, 4);
  workspaceOffset = threadBlockGroup.thread_rank() - tile4.thread_rank();
  output = sumReduction(tile4, workspace + workspaceOffset, threadBlockGroup.thread_rank());
  if (tile4.thread_rank() == 0) {
    int first = threadBlockGroup.thread_rank();
    results[32 + first / 4] = output == 4 * first + 6;
  }

  // Passes a static tile as the generic group, in the first tile of the block only.
  thread_block_tile<32> warp = tiled_partition<32>(threadBlockGroup);
  if (warp.meta_group_rank() == 0) {
    int warpSum = sumReduction(warp, workspace, 2);
    if (warp.thread_rank() == 0) results[20] = warpSum == 64;
  }
  countMembers(threadBlockGroup, &members);
  if (threadBlockGroup.thread_rank() == 0) results[21] = members == threadBlockGroupSize;
}

int main() {
  const int threads = 64;
  int *d_results, results[64] = {0};
  if (cudaMalloc(&d_results, sizeof(results)) || cudaMemset(d_results, 0, sizeof(results))) return 1;
  printf("\nLaunching a single block with %d threads...\n\n", threads);
  cgkernel<<<1, threads, threads * sizeof(int)>>>(d_results);
  cudaError_t err = cudaDeviceSynchronize();
  if (err != cudaSuccess) {
    printf("Kernel launch failed: %s\n", cudaGetErrorString(err));
    return 1;
  }
  cudaMemcpy(results, d_results, sizeof(results), cudaMemcpyDeviceToHost);
  cudaFree(d_results);
  bool ok = results[0] && results[20] && results[21];
  for (int t = 0; t < threads / 16; ++t) ok = ok && results[1 + t];
  for (int t = 0; t < threads / 4; ++t) ok = ok && results[32 + t];
  printf("\n...%s.\n\n", ok ? "Done" : "FAILED");
  return ok ? 0 : 1;
}
