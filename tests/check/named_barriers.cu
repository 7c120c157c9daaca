// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races around the named barriers of a block: an arrival without a wait orders what its thread did before, and not what
// it does after. Comments and marks as in races.cu.
#include <cstdio>

__device__ void sync(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ void arrive(int number, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void pairs_of_warps(int* out) {
  __shared__ int values[128];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;
  sync(i / 64 + 1, 64);
  out[i] = values[i ^ 32];
}
// The other pair of warps has another barrier.
// race: a b 128
__global__ void other_pair(int* out) {
  __shared__ int values[128];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;  // [a]
  sync(i / 64 + 1, 64);
  out[i] = values[i ^ 64];  // [b]
}
__global__ void producers_and_consumers(int* out) {
  __shared__ int values[2][64];
  const int i = static_cast<int>(threadIdx.x);
  for (int round = 0; round < 6; ++round) {
    const int slot = round % 2;
    if (i < 64) {
      if (round > 1) sync(3 + slot, 128);
      values[slot][i] = round;
      arrive(1 + slot, 128);
    } else {
      sync(1 + slot, 128);
      out[i] += values[slot][127 - i];
      if (round < 4) arrive(3 + slot, 128);
    }
  }
}
// The producers do not wait until the buffer is empty.
// race: a b 64
__global__ void hasty_producers(int* out) {
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i < 64) {
    values[i] = 1;
    arrive(1, 128);
    values[i] = 2;  // [a]
    arrive(2, 128);
  } else {
    sync(1, 128);
    out[i] = values[127 - i];  // [b]
    sync(2, 128);
    out[i] += values[127 - i];
  }
}
// A thread that only arrives acquires nothing from the other threads.
// race: a b 32
__global__ void arrival_is_no_wait(int* out) {
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x);
  if (i < 32) {
    values[i] = i;  // [a]
    sync(1, 64);
  } else {
    arrive(1, 64);
    out[i] = values[63 - i];  // [b]
  }
}
// At its next barrier, a thread releases what it has acquired at the barrier before.
__global__ void chain(int* out) {
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x), warp = i / 32;
  if (warp == 0) values[i] = i;
  if (warp > 0) sync(warp, 64);
  if (warp < 3) arrive(warp + 1, 64);
  if (warp == 3) out[i] = values[127 - i];
}
__global__ void votes(int* out) {
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;
  int count;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 5; bar.red.popc.u32 %0, 1, 64, p; }"
               : "=r"(count)
               : "r"(i)
               : "memory");
  out[i] = values[63 - i] + count;
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(out, 0, 128 * sizeof(int));
  pairs_of_warps<<<1, 128>>>(out);
  other_pair<<<1, 128>>>(out);
  producers_and_consumers<<<1, 128>>>(out);
  hasty_producers<<<1, 128>>>(out);
  arrival_is_no_wait<<<1, 64>>>(out);
  chain<<<1, 128>>>(out);
  votes<<<1, 64>>>(out);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  return cudaFree(out);
}
