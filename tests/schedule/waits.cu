// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order bugs that the order of lanes, warps and blocks at waits reveals. Most are data races too; `volatile` keeps the
// compiler from using that.
#include "order_bugs.hpp"

namespace {

// No barrier follows the last step of the tree, and a thread of another warp stores the sum.
__global__ void reduction_without_last_barrier(int* out) {
  __shared__ volatile int part[64];
  const unsigned t = threadIdx.x;
  part[t] = static_cast<int>(t);
  __syncthreads();
  for (unsigned distance = 32; distance > 1; distance /= 2) {
    if (t < distance) part[t] = part[t] + part[t + distance];
    __syncthreads();
  }
  if (t == 0) part[0] = part[0] + part[1];
  if (t == 63) out[0] = part[0];
}

// Each thread reads what its left neighbour wrote, without a barrier.
__global__ void neighbour_without_barrier(int* out) {
  volatile int* value = out + 16;
  const unsigned t = threadIdx.x;
  value[t] = 1;
  atomicAdd(out, t > 0 ? value[t - 1] : 1);
}

// Lane 0 writes for the other lanes of its warp, without __syncwarp().
__global__ void broadcast_without_syncwarp(int* out) {
  volatile int* value = out + 16;
  if (threadIdx.x == 0) *value = 5;
  atomicAdd(out, *value);
}

// One barrier for each turn where two are needed: a thread overwrites what its left neighbour has not read yet.
__global__ void one_buffer_for_two_turns(int* out) {
  __shared__ volatile int value[33];
  const unsigned t = threadIdx.x;
  value[t] = static_cast<int>(t);
  value[32] = 32;
  int sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    __syncthreads();
    sum += value[t + 1];
    value[t] = value[t] + 1;
  }
  atomicAdd(out, sum);
}

// The kernel assumes that the first thread to arrive is thread 0.
__global__ void leader_is_thread_zero(int* out) {
  if (atomicAdd(&out[1], 1) == 0) out[0] = threadIdx.x == 0;
}

// The kernel assumes that threads take slots in the order of their ranks.
__global__ void compaction_is_stable(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  if (t % 3 == 0) out[16 + atomicAdd(&out[1], 1)] = t;
  __syncthreads();
  if (t == 0) {
    int sorted = 0;
    for (int i = 0; i < out[1]; ++i) sorted += out[16 + i] == 3 * i;
    out[0] = sorted;
  }
}

// All threads store, and the kernel's user expects the value of the last thread.
__global__ void last_thread_stores_last(int* out) {
  __shared__ volatile int value;
  value = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = value;
}

// The kernel assumes that the block with the highest number runs last.
__global__ void last_block_adds_all(int* out) {
  if (threadIdx.x == 0) out[16 + blockIdx.x] = 1;
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += out[16 + i];
    out[0] = sum;
  }
}

// Each block continues from the result of the block before, without a wait for it.
__global__ void chain_of_blocks(int* out) {
  if (threadIdx.x != 0) return;
  out[16 + blockIdx.x] = blockIdx.x == 0 ? 1 : out[16 + blockIdx.x - 1] + 1;
  if (blockIdx.x == gridDim.x - 1) out[0] = out[16 + blockIdx.x];
}

// Block 0 resets the head of the queue, although other blocks may have taken items already.
__global__ void queue_is_reset_by_a_block(int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) atomicExch(&out[1], 0);
  const int item = atomicAdd(&out[1], 1);
  atomicAdd(&out[0], 1 << item);
}

}  // namespace

int main(int argc, char** argv) {
  return run_order_bug(
      {
          {"reduction_without_last_barrier", {[](int* m) { reduction_without_last_barrier<<<1, 64>>>(m); }, 2016}},
          {"neighbour_without_barrier", {[](int* m) { neighbour_without_barrier<<<1, 96>>>(m); }, 96}},
          {"broadcast_without_syncwarp", {[](int* m) { broadcast_without_syncwarp<<<1, 32>>>(m); }, 160}},
          {"one_buffer_for_two_turns", {[](int* m) { one_buffer_for_two_turns<<<1, 32>>>(m); }, 1677}},
          {"leader_is_thread_zero", {[](int* m) { leader_is_thread_zero<<<1, 64>>>(m); }, 1}},
          {"compaction_is_stable", {[](int* m) { compaction_is_stable<<<1, 96>>>(m); }, 32}},
          {"last_thread_stores_last", {[](int* m) { last_thread_stores_last<<<1, 70>>>(m); }, 69}},
          {"last_block_adds_all", {[](int* m) { last_block_adds_all<<<9, 32>>>(m); }, 9}},
          {"chain_of_blocks", {[](int* m) { chain_of_blocks<<<7, 32>>>(m); }, 7}},
          {"queue_is_reset_by_a_block", {[](int* m) { queue_is_reset_by_a_block<<<5, 32>>>(m); }, 31}},
      },
      argc, argv);
}
