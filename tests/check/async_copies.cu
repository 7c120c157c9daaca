// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies and split barriers with and without a missing wait. Marks as in races.cu.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void copy_and_wait(int* out, const int* in) {
  __shared__ int values[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, values, in, sizeof values);
  cg::wait(block);
  out[threadIdx.x] = values[63 - threadIdx.x];
}
// race: a b 64
__global__ void copy_without_wait(int* out, const int* in) {
  __shared__ int values[64];
  __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4);  // [a]
  __pipeline_commit();
  out[threadIdx.x] = values[threadIdx.x];  // [b]
}
// A barrier does not wait for copies.
// race: a b 64
__global__ void copy_with_barrier_only(int* out, const int* in) {
  __shared__ int values[64];
  __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4);  // [a]
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];  // [b]
  __pipeline_wait_prior(0);
}
// A wait for copies is not a barrier.
// race: a b 64
__global__ void copy_with_wait_only(int* out, const int* in) {
  __shared__ int values[64];
  __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4);  // [a]
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = values[threadIdx.x ^ 32];  // [b]
}
__global__ void own_copy(int* out, const int* in) {
  __shared__ int values[64];
  __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = values[threadIdx.x];
}
__global__ void two_stages(int* out, const int* in) {
  __shared__ int values[2][64];
  const unsigned i = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&values[0][i], &in[i], 4);
  __pipeline_commit();
  for (int stage = 0; stage < 4; ++stage) {
    if (stage < 3) __pipeline_memcpy_async(&values[(stage + 1) % 2][i], &in[i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += values[stage % 2][63 - i];
    __syncthreads();
  }
  out[i] = sum;
}
// The second stage is read when only the first one is complete.
// race: a b 64
__global__ void two_stages_read_early(int* out, const int* in) {
  __shared__ int first[64], second[64];
  const unsigned i = threadIdx.x;
  __pipeline_memcpy_async(&first[i], &in[i], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&second[i], &in[i], 4);  // [a]
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[i] = first[63 - i];
  out[i] += second[63 - i];  // [b]
  __pipeline_wait_prior(0);
}
// The source is overwritten while the copy may still read it.
// race: a b 64
__global__ void source_changes(int* out) {
  __shared__ int from[64], to[64];
  from[threadIdx.x] = 1;
  __pipeline_memcpy_async(&to[threadIdx.x], &from[threadIdx.x], 4);  // [a]
  from[threadIdx.x] = 2;                                             // [b]
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = to[threadIdx.x];
}
// Initialises the barrier; all 64 threads of the block call it.
__device__ void begin(block_barrier& barrier) {
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
}
__global__ void copy_of_a_barrier(int* out, const int* in) {
  __shared__ block_barrier barrier;
  __shared__ int values[64];
  begin(barrier);
  cuda::memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4, barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = values[63 - threadIdx.x];
}
__global__ void arrive_then_wait(int* out) {
  __shared__ block_barrier barrier;
  __shared__ int values[64];
  begin(barrier);
  values[threadIdx.x] = 1;
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  out[threadIdx.x] = values[63 - threadIdx.x];
}
// An arrival does not release writes that follow it.
// race: a b 64
__global__ void write_behind_the_arrival(int* out) {
  __shared__ block_barrier barrier;
  __shared__ int values[64];
  begin(barrier);
  auto token = barrier.arrive();
  values[threadIdx.x] = 1;  // [a]
  barrier.wait(std::move(token));
  out[threadIdx.x] = values[threadIdx.x ^ 32];  // [b]
}

// An arrival only releases; even for the last thread to arrive, only the wait acquires.
// race: a b 64
__global__ void read_behind_the_arrival(int* out) {
  __shared__ block_barrier barrier;
  __shared__ int values[64];
  begin(barrier);
  values[threadIdx.x] = 1;  // [a]
  auto token = barrier.arrive();
  out[threadIdx.x] = values[threadIdx.x ^ 32];  // [b]
  barrier.wait(std::move(token));
}
// Consumers wait for phases without arriving at them, some only after later phases have completed.
__global__ void pipeline_of_roles(int* out, const int* in) {
  __shared__ int values[3][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 32);
  int sum = 0;
  for (int turn = 0; turn < 9; ++turn) {
    int* const stage = values[turn % 3];
    if (threadIdx.x < 32) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[threadIdx.x], &in[turn * 32 + threadIdx.x], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += stage[63 - threadIdx.x];
      pipe.consumer_release();
    }
  }
  out[threadIdx.x] = sum;
}
__global__ void pipeline_of_all(int* out, const int* in) {
  __shared__ int values[3][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int turn = 0; turn < 3; ++turn) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, values[turn], in + turn * 64, sizeof values[0], pipe);
    pipe.producer_commit();
  }
  int sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    pipe.consumer_wait();
    sum += values[turn][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *out = nullptr, *in = nullptr;
  cudaMallocManaged(&out, 1 << 12);
  cudaMallocManaged(&in, 1 << 12);
  void (*const copies[])(int*, const int*) = {
      copy_and_wait, copy_without_wait,     copy_with_barrier_only, copy_with_wait_only, own_copy,
      two_stages,    two_stages_read_early, copy_of_a_barrier,      pipeline_of_roles,   pipeline_of_all};
  for (const auto kernel : copies) kernel<<<1, 64>>>(out, in);
  void (*const others[])(int*) = {source_changes, arrive_then_wait, write_behind_the_arrival, read_behind_the_arrival};
  for (const auto kernel : others) kernel<<<1, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
