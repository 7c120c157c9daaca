// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait for another thread's store in a loop that contains only the read.
#include "../check.hpp"

__device__ __noinline__ bool try_lock(int* lock) { return atomicCAS(lock, 0, 1) == 0; }

__global__ void chain(volatile int* turn, int* order) {  // the highest thread goes first
  const int me = blockDim.x - 1 - threadIdx.x;
  while (*turn != me) {
  }
  order[me] = threadIdx.x;
  __threadfence();
  *turn = me + 1;
}

__global__ void blocks_backwards(int* turn, int* order) {  // the last block goes first
  const int me = gridDim.x - 1 - blockIdx.x;
  if (threadIdx.x == 0) {
    while (atomicAdd(turn, 0) != me) {
    }
    order[me] = blockIdx.x;
    atomicExch(turn, me + 1);
  }
}

__global__ void lanes_with_lock(int* lock, int* count) {
  bool done = false;
  while (!done) {
    if (try_lock(lock)) {
      *count = *count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void do_while(volatile int* mail, int* out) {  // thread 1 answers thread 0
  if (threadIdx.x == 0) {
    mail[0] = 5;
    int got;
    do {
      got = mail[1];
    } while (got == 0);
    *out = got;
  } else {
    for (;;) {
      const int question = mail[0];
      if (question != 0) {
        mail[1] = question * 2;
        break;
      }
    }
  }
}

__device__ int rank_in_block() { return threadIdx.y * blockDim.x + threadIdx.x; }

__global__ void running_total(volatile int* total, int* out) {  // one thread of each block polls the block after it
  __shared__ int before;
  const int rank = rank_in_block(), size = blockDim.x * blockDim.y, block = gridDim.x - 1 - blockIdx.x;
  if (rank == 0) {
    int seen = 0;
    if (block > 0) {
      while ((seen = total[block - 1]) == 0) {
      }
    }
    before = seen;
    total[block] = seen + size;
  }
  __syncthreads();
  out[block * size + rank] = before + rank;
}

__global__ void each_polls(volatile int* flags) {  // each thread polls the flag of its neighbour in the next block
  const int here = blockIdx.x * blockDim.x + threadIdx.x;
  int seen = 0;
  if (blockIdx.x + 1 < gridDim.x) {
    while ((seen = flags[here + blockDim.x]) == 0) {
    }
  }
  __syncthreads();
  flags[here] = seen + 1;
}

void check_totals(int* ints, dim3 threads) {
  constexpr int blocks = 7;
  const int size = threads.x * threads.y;
  for (int i = 0; i < blocks; ++i) ints[i] = 0;
  running_total<<<blocks, threads>>>(ints, ints + blocks);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < blocks * size; ++i) expect_equal(ints[blocks + i], i, "total of the blocks before", i);
  if (threads.y > 1) return;
  for (int i = 0; i < blocks * size; ++i) ints[i] = 0;
  each_polls<<<blocks, threads>>>(ints);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < blocks * size; ++i) expect_equal(ints[i], blocks - i / size, "flags of the next block", i);
}

int main() {
  int* ints;
  EXPECT_SUCCESS(cudaMallocManaged(&ints, 2000 * sizeof(int)));
  ints[0] = 0;
  chain<<<1, 200>>>(ints, ints + 1);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 200; ++i) expect_equal(ints[1 + i], 199 - i, "order of threads", i);
  ints[0] = 0;
  blocks_backwards<<<6, 32>>>(ints, ints + 1);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i) expect_equal(ints[1 + i], 5 - i, "order of blocks", i);
  ints[0] = ints[1] = 0;
  lanes_with_lock<<<2, 96>>>(ints, ints + 1);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(ints[1], 192, "lock of lanes");
  ints[0] = ints[1] = ints[2] = 0;
  do_while<<<1, 2>>>(ints, ints + 2);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(ints[2], 10, "question and answer");
  for (const dim3 threads : {dim3(1), dim3(33), dim3(64), dim3(256), dim3(32, 5), dim3(10, 7), dim3(16, 16)}) {
    check_totals(ints, threads);
  }
  return result();
}
