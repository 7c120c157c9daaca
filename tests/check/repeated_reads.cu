// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker has short paths for reads of words that other threads have read, and for reads at loaded indices. They
// must find the races of full comparisons. The comments and marks are those of races.cu, and test_races.py compares.
#include <cstdio>

// The reads after the last barrier race, although equal ones were made before it.
// race: a b 1
__global__ void words_read_on_both_sides(int* out, int* words, int k) {
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    sum += words[k];  // [a]
  }
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[k] = 1;  // [b]
}
// The upper warp has not read the word.
__global__ void word_of_one_warp(int* out, int* words, int k) {
  int sum = 0;
  if (threadIdx.x < 32) {
    sum = words[k];
    __syncwarp();
    if (threadIdx.x == 0) words[k] = 1;
  }
  out[threadIdx.x] = sum;
}
// The lanes before the writer have read twice. The write finds their last reads, and each read after it races.
// race: a b 26
// race: a c 27
__global__ void readers_of_a_write(int* out, int* words, int k) {
  if (threadIdx.x == 5) words[k] = 1;  // [a]
  out[threadIdx.x] = words[k];         // [b]
  __threadfence_block();
  out[threadIdx.x + 64] = words[k];  // [c]
}
// Blocks read one word, then one of them writes it. Reads of the other block after the write count separately.
// race: a b 1+
__global__ void word_of_blocks(int* out, int* words, int k) {
  out[blockIdx.x * 64 + threadIdx.x] = words[k];  // [a]
  __syncthreads();
  if (blockIdx.x == 1 && threadIdx.x == 0) words[k] = 1;  // [b]
}
// Each thread first reads one word: lanes in both warps read words 0 to 31. Then the loop reads words 0 to n - 1.
// race: a b 1
__global__ void own_word_then_all(int* out, int* words, int n) {
  int sum = words[threadIdx.x % 32];
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[k];  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[35] = 1;  // [b]
}
// Threads of the upper warp read words 32 to 39 only, of which each lane of the lower warp has read all.
// race: a b 1
__global__ void part_of_the_run(int* out, int* words, int n) {
  int sum = 0;
  const int first = threadIdx.x < 32 ? 0 : 32;
#pragma unroll 1
  for (int k = first; k < n; ++k) sum += words[k];  // [a]
  out[threadIdx.x] = sum;
  __syncwarp();
  if (threadIdx.x == 40) words[3] = 1;  // [b]
}

// Reads at loaded indices: indices[k] is 7 * k % n.
// race: a b 1
__global__ void gather_then_writer(int* out, int* words, const int* indices, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[indices[k]];  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[7] = 1;  // [b]
}
// race: a b 63
__global__ void writer_then_gather(int* out, int* words, const int* indices, int n) {
  if (threadIdx.x == 1) words[n - 1] = 1;  // [a]
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[indices[k]];  // [b]
  out[threadIdx.x] = sum;
}
// race: a b 1
__global__ void writer_then_unsigned_gather(int* out, int* words, const unsigned* indices, unsigned n) {
  if (threadIdx.x == 1) words[7] = 1;  // [a]
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (unsigned k = 0; k < n; ++k) sum += words[indices[k]];  // [b]
  }
  out[threadIdx.x] = sum;
}
__global__ void gather_on_both_sides(int* out, int* words, const int* indices, int n) {
  for (int round = 0; round < 3; ++round) {
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += words[indices[k]];
    out[threadIdx.x] = sum;
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < n) words[threadIdx.x] = sum;
    __syncthreads();
  }
}
// The written word is not among the gathered ones.
__global__ void beside_the_gather(int* out, int* words, const int* indices, int n) {
  if (threadIdx.x == 1) words[n] = 1;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[indices[k]];
  out[threadIdx.x] = sum;
}
// The loop ends before it reads the index that is written.
// race: a b 1
__global__ void writer_of_an_index(int* out, int* words, int* indices, int n) {
  if (threadIdx.x == 1) indices[n - 1] = 2;  // [a]
  int sum = 0;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int k = 0; k < n; ++k) sum += words[indices[k]];  // [b]
  }
  out[threadIdx.x] = sum;
}
// The loop computes the index that it reads next.
__global__ void index_made_by_the_loop(int* out, int* words, int* indices, int n) {
  if (threadIdx.x == 1) words[n] = 1;
  if (threadIdx.x != 0) return;
  int sum = 0;
  indices[0] = 1;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    sum += words[indices[k]];
    indices[k + 1] = sum >= 0 ? k % n : n;
  }
  out[0] = sum;
}
// race: a b 1
__global__ void gather_from_shared(int* out, const int* indices, int n) {
  __shared__ int words[64];
  words[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[indices[k]];  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[9] = 1;  // [b]
}

// An element has two words, and one of them is written.
// race: a b 1
__global__ void gather_of_doubles(int* out, double* words, const int* indices, int n) {
  double sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[indices[k]];  // [a]
  out[threadIdx.x] = static_cast<int>(sum);
  if (threadIdx.x == 63) reinterpret_cast<int*>(words)[19] = 0;  // [b]
}
// The element after the loaded index: the last iteration reads the written word.
// race: a b 1
__global__ void gather_of_the_next(int* out, int* words, const int* indices, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[indices[k] + 1];  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[n] = 1;  // [b]
}
__global__ void before_the_next(int* out, int* words, const int* indices, int n) {
  if (threadIdx.x == 1) words[0] = 1;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[indices[k] + 1];
  out[threadIdx.x] = sum;
}
// A member of the gathered structures; another member is written in other threads.
// race: a b 1
__global__ void gather_of_members(int* out, int2* pairs, const int* indices, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += pairs[indices[k] - 2].y;  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 62) pairs[7].x = 1;
  if (threadIdx.x == 63) pairs[7].y = 1;  // [b]
}
// The indices are k - 100 modulo 2^32, and the sums wrap around to k.
// race: a b 1
__global__ void gather_that_wraps(int* out, int* words, const unsigned* indices, int n) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += words[static_cast<int>(indices[k] + 100u)];  // [a]
  out[threadIdx.x] = sum;
  if (threadIdx.x == 63) words[3] = 1;  // [b]
}

// One access of the source runs many times: what its earlier runs have found must not hide a later race.
__global__ void words_of_other_lanes(int* words, int n) {
  const int t = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    words[t / 32 * 32 + (t + k) % 32] = k;
    __syncwarp();
  }
}
// race: a a 32
__global__ void barrier_left_out_once(int* words, int n) {
  const int t = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    words[(t + k) % 32] = k;  // [a]
    if (k != n - 2) __syncwarp();
  }
}
// race: a a 1
__global__ void word_of_the_block_before(int* words) {
  const unsigned first = blockIdx.x == 1 && threadIdx.x == 63 ? 0 : blockIdx.x * 64;
  words[first + threadIdx.x] = 1;  // [a]
}
// race: a b 1
__global__ void memory_of_two_kinds(int* out, int* words, int n) {
  __shared__ int shared[64];
  const int t = static_cast<int>(threadIdx.x);
  shared[t] = t;
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    const int* const from = k % 2 == 0 ? words : shared;
    sum += from[t];  // [a]
  }
  out[t] = sum;
  if (t == 63) words[5] = 1;  // [b]
}
// race: a b 1
__global__ void updates_then_reader(int* out, int n) {
  __shared__ int bins[8];
  const int t = static_cast<int>(threadIdx.x);
  if (t < 8) bins[t] = 0;
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < n; ++k) atomicAdd(&bins[(t + k) % 8], 1);  // [a]
  if (t == 95) out[t] = bins[3];                                 // [b]
}
__global__ void updates_then_barrier(int* out, int* bins, int n) {
  const int t = static_cast<int>(threadIdx.x);
  if (t < 8) bins[t] = 0;
  for (int round = 0; round < 3; ++round) {
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < n; ++k) atomicAdd(&bins[(t + k) % 8], 1);
    __syncthreads();
    out[t] = bins[t % 8];
  }
}

int main() {
  constexpr int n = 40;
  int* memory = nullptr;
  cudaMalloc(&memory, 1 << 16);
  cudaMemset(memory, 0, 1 << 16);
  int *const out = memory, *const words = memory + 4096, *const indices = memory + 8192;
  int host[n];
  for (int k = 0; k < n; ++k) host[k] = 7 * k % n;
  const auto reset = [&] { cudaMemcpy(indices, host, sizeof host, cudaMemcpyHostToDevice); };
  reset();
  words_read_on_both_sides<<<1, 64>>>(out, words, 3);
  word_of_one_warp<<<1, 64>>>(out, words, 3);
  readers_of_a_write<<<1, 32>>>(out, words, 3);
  word_of_blocks<<<2, 64>>>(out, words, 3);
  own_word_then_all<<<1, 64>>>(out, words, n);
  part_of_the_run<<<1, 64>>>(out, words, n);
  gather_then_writer<<<1, 64>>>(out, words, indices, n);
  writer_then_gather<<<1, 64>>>(out, words, indices, n);
  writer_then_unsigned_gather<<<1, 2>>>(out, words, reinterpret_cast<unsigned*>(indices), n);
  gather_on_both_sides<<<1, 100>>>(out, words, indices, n);
  beside_the_gather<<<1, 64>>>(out, words, indices, n);
  writer_of_an_index<<<1, 2>>>(out, words, indices, n);
  index_made_by_the_loop<<<1, 2>>>(out, words, indices, n);
  reset();
  gather_from_shared<<<1, 64>>>(out, indices, n);
  gather_of_doubles<<<1, 64>>>(out, reinterpret_cast<double*>(words), indices, n);
  gather_of_the_next<<<1, 64>>>(out, words, indices, n);
  before_the_next<<<1, 64>>>(out, words, indices, n);
  gather_of_members<<<1, 64>>>(out, reinterpret_cast<int2*>(words + 4), indices, n);
  unsigned wrapped[n];
  for (unsigned k = 0; k < n; ++k) wrapped[k] = k - 100;
  cudaMemcpy(indices, wrapped, sizeof wrapped, cudaMemcpyHostToDevice);
  gather_that_wraps<<<1, 64>>>(out, words, reinterpret_cast<unsigned*>(indices), n);
  words_of_other_lanes<<<1, 96>>>(words, n);
  barrier_left_out_once<<<1, 32>>>(words, n);
  word_of_the_block_before<<<2, 64>>>(words);
  memory_of_two_kinds<<<1, 64>>>(out, words, n);
  updates_then_reader<<<1, 96>>>(out, n);
  updates_then_barrier<<<1, 77>>>(out, words, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
