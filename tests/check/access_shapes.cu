// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of each size and alignment, with atomics, barriers of a warp and reused memory: the checker has a fast
// path for the usual ones, and both paths must find the same races. The comments are those of races.cu, and
// test_races.py compares.
#include <cstdio>

// Aligned values of 1 to 16 bytes.
// race: a b 62
template <class T>
__global__ void values(T* out) {
  __shared__ T all[64];
  const int i = static_cast<int>(threadIdx.x);
  all[i] = T{};
  __syncthreads();
  all[i] = T{};  // [a]
  __syncwarp();
  if (i % 32 != 0) out[i] = all[i ^ 32];  // [b]
}
template <class T>
__global__ void values_in_order(T* out) {
  __shared__ T all[64];
  const int i = static_cast<int>(threadIdx.x);
  for (int round = 0; round < 3; ++round) {
    all[i] = T{};
    __syncthreads();
    out[i] = all[i ^ 32];
    __syncthreads();
  }
}
struct __attribute__((packed)) pair_at_odd_offset {
  char before;
  int first;
  long long second;
};
// An `int` that begins in one shadow word of the checker and ends in the next.
// race: a b 1
__global__ void straddling(pair_at_odd_offset* values) {
  if (threadIdx.x == 0) values->first = 1;                       // [a]
  if (threadIdx.x == 1) reinterpret_cast<char*>(values)[4] = 1;  // [b]
}
// The bytes beside the straddling values belong to other threads.
__global__ void straddling_neighbours(pair_at_odd_offset* values) {
  if (threadIdx.x == 0) values->before = 1;
  if (threadIdx.x == 1) values->first = 1;
  if (threadIdx.x == 2) values->second = 1;
  if (threadIdx.x == 3) values[1].before = 1;
}
// One thread writes the second word of a value that another thread reads.
// race: a b 1
__global__ void second_word(__int128* out) {
  __shared__ __int128 value;
  int* const words = reinterpret_cast<int*>(&value);
  if (threadIdx.x < 4) words[threadIdx.x] = 1;
  __syncwarp();
  if (threadIdx.x == 1) words[1] = 2;  // [a]
  if (threadIdx.x == 0) *out = value;  // [b]
}
// All threads read a word, and the last one writes it: the reads are one record.
// race: a b 1
__global__ void readers_then_writer(int* out, int* word) {
  out[threadIdx.x] = *word;           // [a]
  if (threadIdx.x == 127) *word = 1;  // [b]
}
__global__ void readers_barrier_writer(int* out, int* word) {
  out[threadIdx.x] = *word;
  __syncthreads();
  if (threadIdx.x == 70) *word = 1;
  __syncthreads();
  out[threadIdx.x] = *word;
}
// A barrier of one warp does not order the reads of the other one.
// race: a b 1
__global__ void readers_warp_barrier_writer(int* out, int* word) {
  out[threadIdx.x] = *word;  // [a]
  __syncwarp();
  if (threadIdx.x == 40) *word = 1;  // [b]
}
// race: a b 1
__global__ void atomic_then_plain(int* word) {
  if (threadIdx.x < 32) atomicAdd(word, 1);  // [a]
  __syncwarp();
  if (threadIdx.x == 33) *word = 1;  // [b]
}
__global__ void atomic_barrier_plain(int* out, int* word) {
  atomicAdd(word, 1);
  __syncthreads();
  out[threadIdx.x] = *word;
  __syncthreads();
  if (threadIdx.x == 33) *word = 1;
}
// Updates of several warps merge into one record, with which plain reads race. All later updates race with the reads.
// race: a b 240
__global__ void atomics_then_read(int* out, int* words) {
  for (int round = 0; round < 3; ++round) atomicAdd(&words[threadIdx.x % 4], 1);  // [a]
  out[threadIdx.x] = words[threadIdx.x % 4];                                      // [b]
}
__global__ void atomics_in_order(int* out) {
  __shared__ int words[4];
  const int i = static_cast<int>(threadIdx.x);
  for (int round = 0; round < 3; ++round) {
    if (i < 4) words[i] = 0;
    __syncthreads();
    atomicAdd(&words[i % 4], 1);
    atomicMax(&words[i / 4 % 4], 1);
    __syncthreads();
    out[i] = words[i % 4];
    __syncthreads();
  }
}
// An update of block scope races with the update of the other block.
// race: a b 1
__global__ void two_scopes(int* word) {
  if (blockIdx.x == 0) atomicAdd(word, 1);        // [a]
  if (blockIdx.x == 1) atomicAdd_block(word, 1);  // [b]
}
// Updates of one kind in the whole grid merge into one record.
__global__ void updates_of_the_grid(int* words) {
  for (int round = 0; round < 3; ++round) atomicAdd(&words[threadIdx.x % 4], 1);
}
// Only the upper half of the value races.
// race: a b 1
__global__ void wide_atomics(int* out, unsigned long long* value) {
  atomicAdd(&value[0], 1);  // [a]
  atomicAdd(&value[1], 1);
  __syncwarp();
  if (threadIdx.x == 40) out[0] = reinterpret_cast<int*>(value)[1];  // [b]
}
// The reads of one warp race with the updates of the other one.
// race: a b 32
__global__ void reads_then_atomics(int* out, int* words) {
  if (threadIdx.x < 32) out[threadIdx.x] = words[threadIdx.x];  // [a]
  __syncwarp();
  if (threadIdx.x >= 32) atomicAdd(&words[threadIdx.x - 32], 1);  // [b]
}
// Fills an allocation. Two streams launch it for two allocations that may have the same address.
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
// Another block writes what the first block has read.
// race: a b 64
__global__ void two_blocks(int* out, int* values) {
  if (blockIdx.x == 0) out[threadIdx.x] = values[threadIdx.x];  // [a]
  if (blockIdx.x == 1) values[threadIdx.x] = 2;                 // [b]
}

// The second allocation may reuse the memory of the first one.
void fill_new_memory() {
  for (int round = 0; round < 2; ++round) {
    int* memory = nullptr;
    cudaStream_t stream = nullptr;
    cudaMalloc(&memory, 4096);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    fill<<<1, 64, 0, stream>>>(memory);
    cudaFree(memory);
    cudaStreamDestroy(stream);
  }
}

int main() {
  char* memory = nullptr;
  cudaMalloc(&memory, 4096);
  cudaMemset(memory, 0, 4096);
  int* const out = reinterpret_cast<int*>(memory);
  int* const word = out + 512;
  values<<<1, 64>>>(reinterpret_cast<char*>(memory));
  values<<<1, 64>>>(reinterpret_cast<short*>(memory));
  values<<<1, 64>>>(out);
  values<<<1, 64>>>(reinterpret_cast<long long*>(memory));
  values<<<1, 64>>>(reinterpret_cast<__int128*>(memory));
  values_in_order<<<1, 64>>>(reinterpret_cast<char*>(memory));
  values_in_order<<<1, 64>>>(reinterpret_cast<short*>(memory));
  values_in_order<<<1, 64>>>(out);
  values_in_order<<<1, 64>>>(reinterpret_cast<long long*>(memory));
  values_in_order<<<1, 64>>>(reinterpret_cast<__int128*>(memory));
  straddling<<<1, 32>>>(reinterpret_cast<pair_at_odd_offset*>(memory));
  straddling_neighbours<<<1, 32>>>(reinterpret_cast<pair_at_odd_offset*>(memory));
  second_word<<<1, 32>>>(reinterpret_cast<__int128*>(memory));
  readers_then_writer<<<1, 128>>>(out, word);
  readers_barrier_writer<<<1, 128>>>(out, word);
  readers_warp_barrier_writer<<<1, 64>>>(out, word);
  atomic_then_plain<<<1, 64>>>(word);
  atomic_barrier_plain<<<1, 64>>>(out, word);
  two_blocks<<<2, 64>>>(out, word);
  atomics_then_read<<<1, 64>>>(out, word);
  atomics_in_order<<<1, 64>>>(out);
  two_scopes<<<2, 1>>>(word);
  updates_of_the_grid<<<4, 64>>>(word);
  wide_atomics<<<1, 64>>>(out, reinterpret_cast<unsigned long long*>(word));
  reads_then_atomics<<<1, 64>>>(out, word);
  fill_new_memory();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
