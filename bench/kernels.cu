// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured kernels, compiled by cohortcc.
#include <cstdio>
#include <cstdlib>

#include "kernel_bodies.hpp"
#include "kernels.hpp"

namespace bench {

namespace {

// Results are stored here so that they are not optimized away. All blocks write the same few words.
__device__ float result_float;
__device__ int result_int;

__global__ void block_sync_kernel(int rounds) { block_sync_rounds(rounds); }
__global__ void reduce_float_kernel(int rounds) { reduce_rounds(rounds, &result_float); }
__global__ void reduce_int_kernel(int rounds) { reduce_rounds(rounds, &result_int); }
__global__ void shuffle_kernel(int rounds) { shuffle_rounds(rounds, &result_int); }
__global__ void wait_once_kernel() { wait_once_body(&result_int); }
__global__ void never_wait_kernel() {
  if (threadIdx.x == 0) result_int = 1;
}

__global__ void exchange_kernel(int rounds) {
  __shared__ int shared[1024];
  const int i = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockDim.x);
  int value = i;
  for (int r = 0; r < rounds; ++r) {
    shared[i] = value;
    __syncthreads();
    value += shared[(i + 1) % n];
    __syncthreads();
  }
  if (i == 0) result_int = value;
}

__global__ void write_ids_kernel(int32_t* out, uint32_t slots) {
  out[blockIdx.x % slots * blockDim.x + threadIdx.x] = static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
}

constexpr unsigned sum_threads = 256;

__global__ void batched_sum_kernel(const float* in, float* out, size_t elements) {
  __shared__ float shared[sum_threads];
  const auto block = cohort::this_thread_block();
  const unsigned i = block.thread_rank();
  const float* mine = in + blockIdx.x * elements;
  float sum = 0.0f;
  for (size_t k = i; k < elements; k += sum_threads) sum += mine[k];
  shared[i] = sum;
  block.sync();
  for (unsigned stride = sum_threads / 2; stride > 0; stride /= 2) {
    if (i < stride) shared[i] += shared[i + stride];
    block.sync();
  }
  if (i == 0) out[blockIdx.x] = shared[0];
}

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cohort_bench: %s failed: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void finish(const char* kernel) {
  check(cudaGetLastError(), kernel);
  check(cudaDeviceSynchronize(), kernel);
}

}  // namespace

const char* cohortcc_version() { return __VERSION__; }

namespace by_cohortcc {

void block_sync(int blocks, int threads, int rounds) {
  block_sync_kernel<<<blocks, threads>>>(rounds);
  finish("block_sync");
}
void reduce_float(int blocks, int rounds) {
  reduce_float_kernel<<<blocks, 32>>>(rounds);
  finish("reduce_float");
}
void reduce_int(int blocks, int rounds) {
  reduce_int_kernel<<<blocks, 32>>>(rounds);
  finish("reduce_int");
}
void shuffle(int blocks, int rounds) {
  shuffle_kernel<<<blocks, 32>>>(rounds);
  finish("shuffle");
}
void wait_once(int blocks, int threads) {
  wait_once_kernel<<<blocks, threads>>>();
  finish("wait_once");
}
void never_wait(int blocks, int threads) {
  never_wait_kernel<<<blocks, threads>>>();
  finish("never_wait");
}

}  // namespace by_cohortcc

void exchange(int blocks, int threads, int rounds) {
  exchange_kernel<<<blocks, threads>>>(rounds);
  finish("exchange");
}

void write_ids(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots) {
  write_ids_kernel<<<blocks, threads>>>(out, slots);
  finish("write_ids");
}

void batched_sum(const float* in, float* out, size_t batches, size_t elements) {
  batched_sum_kernel<<<static_cast<unsigned>(batches), sum_threads>>>(in, out, elements);
  finish("batched_sum");
}

}  // namespace bench
