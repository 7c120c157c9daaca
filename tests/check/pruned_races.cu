// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that an earlier check of the thread covers are omitted. No race may be lost, and each is reported at the first
// of the covered accesses. The comments and marks are those of races.cu, and test_races.py compares.
#include <cstdio>

// Only the second of two equal reads races: a barrier lies between them.
// race: a b 1
__global__ void reads_around_barrier(int* out, int* word) {
  if (threadIdx.x == 0) out[0] = *word;
  __syncthreads();
  if (threadIdx.x == 1) *word = 2;       // [a]
  if (threadIdx.x == 0) out[1] = *word;  // [b]
}
// Only the first of two equal reads races.
// race: a b 1
__global__ void reads_then_barrier(int* out, int* word) {
  if (threadIdx.x == 1) *word = 2;       // [a]
  if (threadIdx.x == 0) out[0] = *word;  // [b]
  __syncthreads();
  if (threadIdx.x == 0) out[1] = *word;
}
// A check covers later accesses, and reports name the first of these.
// race: a b 1
__global__ void equal_writes(int* out, int* word) {
  if (threadIdx.x == 1) *word = 1;  // [a]
  if (threadIdx.x == 0) {
    *word = 2;  // [b]
    out[0] = out[1];
    *word = 4;
    out[2] = *word;
  }
}
// Reads of two threads do not race, so the later write needs its own check.
// race: a b 1
// race: b b 1
__global__ void read_then_write(int* out, int* word) {
  const int seen = *word;  // [a]
  out[threadIdx.x] = seen;
  *word = seen + 1;  // [b]
}
// The write is on one of two paths to the read.
// race: a b 1
__global__ void write_on_one_path(int* out, int* word, int chosen) {
  if (static_cast<int>(threadIdx.x) == chosen) *word = 1;  // [a]
  out[threadIdx.x] = *word;                                // [b]
}
// Each thread writes the same word in all iterations.
// race: a a 31
__global__ void loop_of_writes(volatile int* count, int* word) {
  const int turns = *count;
#pragma unroll 1
  for (int k = 0; k < turns; ++k) word[0] = static_cast<int>(threadIdx.x) + word[k + 1];  // [a]
}
// The barrier in the loop orders the iterations, and the last one races.
// race: a b 1
__global__ void loop_with_barrier(int* out, int* word) {
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    if (threadIdx.x == 0) out[k] = *word;             // [a]
    if (threadIdx.x == 1 && k == 3) *word = out[10];  // [b]
    __syncthreads();
  }
}
// One check of 16 reads finds the word that another thread writes.
// race: a b 1
__global__ void unrolled_reads(int* out, int* words) {
  if (threadIdx.x == 1) words[5 * 3] = 1;  // [a]
  if (threadIdx.x == 0) {
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += words[3 * k];  // [b]
    out[0] = sum;
  }
}
// The second write comes after the release.
// race: a b 1
__global__ void write_after_release(int* out, int* word, int* flag) {
  if (blockIdx.x == 0) {
    *word = 1;
    __threadfence();
    atomicExch(flag, 1);
    *word = 2;  // [a]
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = *word;  // [b]
  }
}
// The first read comes before the acquire.
// race: a b 1
__global__ void read_before_acquire(int* out, int* word, int* flag) {
  if (blockIdx.x == 0) {
    *word = 1;  // [a]
    __threadfence();
    atomicExch(flag, 1);
  } else {
    out[0] = *word;  // [b]
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[1] = *word;
  }
}

int main() {
  int* memory = nullptr;
  cudaMalloc(&memory, 4096);
  cudaMemset(memory, 0, 4096);
  int* const word = memory + 512;
  int* const flags = memory + 768;
  const int turns = 20;
  cudaMemcpy(flags + 2, &turns, sizeof turns, cudaMemcpyHostToDevice);
  reads_around_barrier<<<1, 64>>>(memory, word);
  reads_then_barrier<<<1, 64>>>(memory, word);
  equal_writes<<<1, 2>>>(memory, word);
  read_then_write<<<1, 2>>>(memory, word);
  write_on_one_path<<<1, 2>>>(memory, word, 0);
  loop_of_writes<<<1, 32>>>(flags + 2, word);
  loop_with_barrier<<<1, 64>>>(memory, word);
  unrolled_reads<<<1, 2>>>(memory, word);
  write_after_release<<<2, 1>>>(memory, word, flags);
  read_before_acquire<<<2, 1>>>(memory, word, flags + 1);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
