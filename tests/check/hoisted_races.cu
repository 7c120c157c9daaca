// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single check before a loop may cover the reads of all iterations and of other threads of the group. It must find
// the races that single accesses have. The comments and marks are those of races.cu, and test_races.py compares.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct alignas(16) four {
  int x, y, z, w;
};

// All threads read all words, and one of them writes a word of the middle.
// race: a b 1
__global__ void readers_then_writer(int* out, int* words, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[k];  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[7] = 1;  // [b]
}
// The 32-bit index could wrap around. Each thread strides over the words of the others.
// race: a b 1
__global__ void steps_of_the_block(int* out, int* words, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = static_cast<int>(threadIdx.x); k < n; k += static_cast<int>(blockDim.x)) sum += words[k];  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[n - 1] = 1;  // [b]
}
// The last index is below zero: the words before `words` are read.
// race: a b 1
__global__ void falling_index(int* out, int* words, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = n; k > -n; k -= 3) sum += words[k];  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 1) words[n - 3 * ((2 * n - 1) / 3)] = 1;  // [b]
}
// The writer is among the first threads: one reader is before it, and 62 after it.
// race: a b 63
__global__ void writer_then_readers(int* out, int* words, int n) {
  if (threadIdx.x == 1) words[n - 1] = 1;  // [a]
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[k];  // [b]
  out[threadIdx.x] = sum;
}
__global__ void readers_barrier_writer(int* out, int* words, int n) {
  for (int round = 0; round < 3; ++round) {
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += words[k];
    out[threadIdx.x] = sum;
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < n) words[threadIdx.x] = sum;
    __syncthreads();
  }
}
// Reads after the last barrier race, although equal reads were made before it.
// race: a b 1
__global__ void reads_on_both_sides(int* out, int* words, int n) {
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += words[k];  // [a]
  }
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[7] = 1;  // [b]
}
// A barrier of the writer's warp does not order the reads of another warp.
// race: a b 1
__global__ void readers_warp_barrier_writer(int* out, int* words, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[k];  // [a]
  out[threadIdx.x] = sum;
  __syncwarp();
  if (threadIdx.x == 40) words[0] = 1;  // [b]
}
__global__ void reads_of_one_warp(int* out, int* words, int n) {
  int sum = 0;
  if (threadIdx.x >= 32) {
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += words[k];
  }
  out[threadIdx.x] = sum;
  __syncwarp();
  if (threadIdx.x == 40) words[0] = 1;
}
// A barrier of tiles of 8 lanes orders only its tile. The tile before the writer's has read, two tiles read later.
// race: a b 17
__global__ void readers_tile_barrier_writer(int* out, int* words, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[k];  // [a]
  out[threadIdx.x] = sum;
  cg::tiled_partition<8>(cg::this_thread_block()).sync();
  if (threadIdx.x == 12) words[3] = 1;  // [b]
}
__global__ void tiles_with_own_words(int* out, int* words, int n) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int* const mine = words + tile.meta_group_rank() * static_cast<unsigned>(n);
  for (int round = 0; round < 3; ++round) {
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += mine[k];
    out[threadIdx.x] = sum;
    tile.sync();
    if (tile.thread_rank() == static_cast<unsigned>(round)) mine[round] = sum;
    tile.sync();
  }
}
// Blocks read words that one of them writes. Reads of the other block may come before the write, which then counts them
// once, or after it.
// race: a b 1+
__global__ void reads_of_blocks(int* out, int* words, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[k];  // [a]
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  __syncthreads();
  if (blockIdx.x == 1 && threadIdx.x == 0) words[n / 2] = 1;  // [b]
}
// The loop ends before the word that the other thread writes.
__global__ void early_exit(int* out, int* words, int n) {
  if (threadIdx.x == 1) words[n - 1] = 1;
  int k = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    while (k < n && words[k] == 0) ++k;
  }
  out[threadIdx.x] = k;
}
// Thread 0 reads only odd words, and the written word is even.
__global__ void read_under_condition(int* out, int* words, int n) {
  if (threadIdx.x == 1) words[4] = 1;
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
      if (k % 2 != 0) sum += words[k];
      out[k] = sum;
    }
  }
  out[100 + threadIdx.x] = sum;
}
__global__ void no_iteration(int* out, int* words, int none) {
  if (threadIdx.x == 1) words[0] = 1;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < none; ++k) sum += words[k];
  out[threadIdx.x] = sum;
}
// race: a b 1
__global__ void downwards(int* out, int* words, int n) {
  if (threadIdx.x == 1) words[0] = 1;  // [a]
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = n - 1; k >= 0; --k) sum += words[k];  // [b]
  }
  out[threadIdx.x] = sum;
}
// race: a b 1
__global__ void with_stride(int* out, int* words, int stride) {
  if (threadIdx.x == 1) words[9 * stride] = 1;  // [a]
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = 0; k < 10; ++k) sum += words[k * stride];  // [b]
  }
  out[threadIdx.x] = sum;
}
__global__ void beside_the_stride(int* out, int* words, int stride) {
  if (threadIdx.x == 1) words[9 * stride - 1] = 1;
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = 0; k < 10; ++k) sum += words[k * stride];
  }
  out[threadIdx.x] = sum;
}
// race: a b 1
__global__ void values_of_eight_bytes(int* out, long long* values, int n) {
  if (threadIdx.x == 1) reinterpret_cast<int*>(values)[2 * n - 1] = 1;  // [a]
  long long sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += values[k];  // [b]
  }
  out[threadIdx.x] = static_cast<int>(sum);
}
// race: a b 1
__global__ void members(int* out, four* values, int n) {
  if (threadIdx.x == 1) values[n - 2].w = 1;  // [a]
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
      sum += values[k].x;
      sum += values[k].w;  // [b]
    }
  }
  out[threadIdx.x] = sum;
}
__global__ void other_member(int* out, four* values, int n) {
  if (threadIdx.x == 1) values[n - 2].z = 1;
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += values[k].x + values[k].w;
  }
  out[threadIdx.x] = sum;
}
// Each thread reads what it has written in the previous iteration.
__global__ void own_writes(int* words, int n) {
  int* const mine = words + threadIdx.x * static_cast<unsigned>(n);
#pragma unroll 1
  for (int k = 1; k < n; ++k) mine[k] = mine[k - 1] + 1;
}
// The inner loop grows, and the last word of its last run is written by another thread.
// race: a b 1
__global__ void triangle(int* out, int* words, int n) {
  if (threadIdx.x == 1) words[n - 1] = 1;  // [a]
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
#pragma unroll 1
      for (int k = 0; k <= i; ++k) sum += words[k];  // [b]
    }
  }
  out[threadIdx.x] = sum;
}
// All threads of a warp read a shared row, and another warp writes it.
// race: a b 1
__global__ void shared_rows(int* out) {
  __shared__ int rows[4][64];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned k = 0; k < 2; ++k) rows[warp][lane + 32 * k] = static_cast<int>(k);
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 64; ++k) sum += rows[warp][k];  // [a]
  out[threadIdx.x] = sum;
  __syncwarp();
  if (threadIdx.x == 96) rows[2][63] = 1;  // [b]
}
// Memory that is freed and allocated again at one address has no earlier accesses.
__global__ void sum_of(int* out, int* words, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[k];
  out[threadIdx.x] = sum;
}
// One call checks the five reads of a line; one of them races.
// race: a b 1
__global__ void five_reads(int* out, int* words, int n) {
  if (threadIdx.x == 1) words[3 * n + 1] = 1;                                                           // [a]
  if (threadIdx.x == 0) out[0] = words[0] + words[n] + words[2 * n] + words[3 * n + 1] + words[n + 5];  // [b]
}
__global__ void five_other_reads(int* out, int* words, int n) {
  if (threadIdx.x == 1) words[3 * n] = 1;
  if (threadIdx.x == 0) out[0] = words[0] + words[n] + words[2 * n] + words[3 * n + 1] + words[n + 5];
}
// The line ends with its write, to a word that another thread reads. The addresses of some reads are values of others.
// race: a b 1
__global__ void chains_of_reads(int* out, int* words, int n) {
  if (threadIdx.x == 1) out[1] = words[n];                                                                      // [a]
  if (threadIdx.x == 0) words[n] = words[words[0]] + words[words[1]] + words[2 * n] + words[3 * n] + words[7];  // [b]
}
// A release after the reads orders them before the write of the other block.
__global__ void release_after_reads(int* out, int* words, int* flag, int n) {
  if (blockIdx.x == 0) {
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += words[k];
    out[threadIdx.x] = sum;
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    while (threadIdx.x == 0 && atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < n) words[threadIdx.x] = 1;
  }
}
// Reads after the release race with the write.
// race: a b 1
__global__ void reads_after_release(int* out, int* words, int* flag, int n) {
  if (blockIdx.x == 0) {
    __threadfence();
    atomicExch(flag, 1);
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += words[k];  // [a]
    out[threadIdx.x] = sum;
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    words[n / 2] = 1;  // [b]
  }
}

int main() {
  constexpr int n = 40;
  int* memory = nullptr;
  cudaMalloc(&memory, 1 << 16);
  cudaMemset(memory, 0, 1 << 16);
  int *const out = memory, *const words = memory + 4096, *const flags = memory + 12288;
  readers_then_writer<<<1, 64>>>(out, words, n);
  writer_then_readers<<<1, 64>>>(out, words, n);
  readers_barrier_writer<<<1, 100>>>(out, words, n);
  reads_on_both_sides<<<1, 64>>>(out, words, n);
  readers_warp_barrier_writer<<<1, 64>>>(out, words, n);
  reads_of_one_warp<<<1, 64>>>(out, words, n);
  readers_tile_barrier_writer<<<1, 32>>>(out, words, n);
  tiles_with_own_words<<<1, 72>>>(out, words, n);
  reads_of_blocks<<<2, 64>>>(out, words, n);
  const int end = 1;
  cudaMemset(words, 0, n * sizeof(int));
  cudaMemcpy(words + n / 2, &end, sizeof end, cudaMemcpyHostToDevice);
  early_exit<<<1, 2>>>(out, words, n);
  read_under_condition<<<1, 2>>>(out, words, n);
  no_iteration<<<1, 2>>>(out, words, 0);
  downwards<<<1, 2>>>(out, words, n);
  steps_of_the_block<<<1, 64>>>(out, words, 3 * 64 + 7);
  falling_index<<<1, 2>>>(out, words + n, n);
  with_stride<<<1, 2>>>(out, words, 17);
  beside_the_stride<<<1, 2>>>(out, words, 17);
  values_of_eight_bytes<<<1, 2>>>(out, reinterpret_cast<long long*>(words), n);
  members<<<1, 2>>>(out, reinterpret_cast<four*>(words), n);
  other_member<<<1, 2>>>(out, reinterpret_cast<four*>(words), n);
  own_writes<<<1, 64>>>(words, n);
  triangle<<<1, 2>>>(out, words, n);
  shared_rows<<<1, 128>>>(out);
  for (int round = 0; round < 3; ++round) {
    int* fresh = nullptr;
    cudaMalloc(&fresh, n * sizeof(int));
    cudaMemset(fresh, 0, n * sizeof(int));
    sum_of<<<1, 64>>>(out, fresh, n);
    cudaFree(fresh);
  }
  five_reads<<<1, 2>>>(out, words, n);
  five_other_reads<<<1, 2>>>(out, words, n);
  cudaMemset(words, 0, n * sizeof(int));
  chains_of_reads<<<1, 2>>>(out, words, n);
  release_after_reads<<<2, 64>>>(out, words, flags, n);
  reads_after_release<<<2, 1>>>(out, words, flags + 1, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
