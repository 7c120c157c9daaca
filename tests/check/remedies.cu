// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports advise a remedy. The comment above a kernel lists its pairs of marked lines with the remedy that orders all
// threads that the pair covers, as in `remedy: a b warp`. test_remedies.py compares, and has the texts.
#include <cooperative_groups.h>

#include <atomic>
#include <cstdio>

namespace cg = cooperative_groups;

// The first racing pair that is found lies in warp 0; others lie in other warps.
// remedy: a b block
// remedy: b b atomic
__global__ void histogram(int* out, const int* in) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;                                            // [a]
  for (unsigned i = threadIdx.x; i < 512; i += blockDim.x) bins[(i + in[i] + 5) & 15]++;  // [b]
  __syncthreads();
  if (threadIdx.x < 16) out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}
// remedy: a b warp
__global__ void lanes(int* out, const int*) {
  __shared__ int values[256];
  values[threadIdx.x] = 1;                                        // [a]
  out[blockIdx.x * 256 + threadIdx.x] = values[threadIdx.x ^ 1];  // [b]
}
// remedy: a b tile
__global__ void lanes_and_warps(int* out, const int*) {
  __shared__ int values[256];
  values[threadIdx.x] = 1;                                                                   // [a]
  out[blockIdx.x * 256 + threadIdx.x] = values[threadIdx.x ^ (threadIdx.x < 128 ? 1 : 32)];  // [b]
}
// The read of warp 0 races with writes of a lane of warp 0 and of another warp.
// remedy: a b block
// remedy: b b block
__global__ void read_then_writes(int* out, const int*) {
  __shared__ int value;
  if (threadIdx.x == 0) value = 0;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = value;          // [a]
  if (threadIdx.x == 1 || threadIdx.x == 200) value = 1;  // [b]
}
// Each statement reads a word of another thread, so a barrier helps.
// remedy: a a warp
__global__ void last_steps_of_a_tree(int* out, const int*) {
  __shared__ int part[256];
  const unsigned t = threadIdx.x;
  part[t] = 1;
  __syncthreads();
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];  // [a]
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
// remedy: a a atomic
__global__ void sum_of_all(int* out, const int* in) {
  out[5] += in[threadIdx.x];  // [a]
}
// remedy: a a atomic
__global__ void scaled_sum(int* out, const int* in) {
  const int n = in[0] + 5;
  out[n] = 3 * out[n] + in[threadIdx.x];  // [a]
}
// remedy: a a atomic
__global__ void byte_of_all(int* out, const int*) {
  ++reinterpret_cast<unsigned char*>(out)[7];  // [a]
}
// The blocks write their own words first, so a pair of one block is found before those of two.
// remedy: a b grid
__global__ void blocks(int* out, const int*) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  out[rank] = 1;  // [a]
  int sum = 0;
  for (unsigned i = 0; i < 512; i += 256) sum += out[i + (threadIdx.x ^ 1)];  // [b]
  __syncthreads();
  if (sum == 17) std::printf("\n");
}
// remedy: a b tile
__global__ void tiles(int* out, const int*) {
  __shared__ int values[256];
  values[threadIdx.x] = 1;                                         // [a]
  out[blockIdx.x * 256 + threadIdx.x] = values[threadIdx.x ^ 32];  // [b]
}
// remedy: a a scope
__global__ void block_scope(int* out, const int*) {
  atomicAdd_block(&out[3], 1);  // [a]
}
// The first launch writes words 0 and 2. The second one, in another stream, writes word 1 and reads all three.
// remedy: a b block_and_streams
__global__ void two_streams(int* words, unsigned launch) {
  const unsigned t = threadIdx.x;
  if (t < 3 && t % 2 == launch) words[t] = 1;                                               // [a]
  if (launch == 1 && t >= 64 && t % 64 == 0 && words[t / 64 - 1] == 17) std::printf("\n");  // [b]
}

std::atomic<bool> has_run{false};
void set(void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true, std::memory_order_relaxed); }

int main() {
  int *out = nullptr, *in = nullptr;
  cudaMalloc(&out, 512 * sizeof(int));
  cudaMalloc(&in, 512 * sizeof(int));
  cudaMemset(out, 0, 512 * sizeof(int));
  cudaMemset(in, 0, 512 * sizeof(int));
  using kernel = void(int*, const int*);
  for (kernel* const one : {histogram, lanes, lanes_and_warps, read_then_writes, last_steps_of_a_tree, sum_of_all,
                            scaled_sum, byte_of_all, blocks, tiles, block_scope}) {
    one<<<2, 256>>>(out, in);
    cudaDeviceSynchronize();
  }
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  two_streams<<<1, 256, 0, first>>>(out, 0);
  // The launches run one after the other without an order: the flag is relaxed.
  cudaLaunchHostFunc(first, set, &has_run);
  while (!has_run.load(std::memory_order_relaxed)) {
  }
  two_streams<<<1, 256, 0, second>>>(out, 1);
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
