// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies and arrivals that are never waited for. `@case.x` marks the lines of a finding.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "cases.hpp"

namespace cg = cooperative_groups;

// A barrier of the block replaces the wait for the copy.
template <bool wrong>
__global__ void reverse(const int* in, int* out) {
  __shared__ int part[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, part, in + blockIdx.x * 64, sizeof part);  // @block.copy
  if constexpr (wrong) {
    block.sync();
  } else {
    cg::wait(block);
  }
  out[blockIdx.x * 64 + threadIdx.x] = part[63 - threadIdx.x];  // @block.read
}
template <bool wrong>
void run_block() {
  reverse<wrong><<<2, 64>>>(device_numbers<int>(128), device_array<int>(128));
}

// A double buffer: the copy for the step after the last one is started, but never waited for.
template <bool wrong>
__global__ void stream_tiles(const int* in, int steps, int* out) {
  __shared__ int buffer[2][32];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  auto load = [&](int step) {
    cg::memcpy_async(tile, buffer[step % 2], in + step * 32, 32 * sizeof(int));  // @ahead.copy
  };
  int sum = 0;
  load(0);
  for (int s = 0; s < steps; ++s) {
    if (wrong || s + 1 < steps) {
      load(s + 1);
      cg::wait_prior<1>(tile);
    } else {
      cg::wait(tile);
    }
    sum += buffer[s % 2][31 - tile.thread_rank()];
    tile.sync();
  }
  out[tile.thread_rank()] = sum;
}
template <bool wrong>
void run_ahead() {
  stream_tiles<wrong><<<1, 32>>>(device_numbers<int>(160), 4, device_array<int>(32));
}

// A helper copies single words. Its caller waits for all stages but the latest, also at the end.
__device__ void fetch(int* to, const int* from) {
  __pipeline_memcpy_async(to, from, sizeof(int));  // @prior.copy
  __pipeline_commit();
}
template <bool wrong>
__global__ void weighted(const int* in, const int* weights, int* out) {
  __shared__ int values[64], factors[64];
  const int t = threadIdx.x;
  fetch(&values[t], &in[t]);
  fetch(&factors[t], &weights[t]);
  __pipeline_wait_prior(wrong ? 1 : 0);
  __syncthreads();
  out[t] = values[63 - t] * factors[63 - t];  // @prior.read
}
template <bool wrong>
void run_prior() {
  weighted<wrong><<<1, 64>>>(device_numbers<int>(64), device_numbers<int>(64), device_array<int>(64));
}

// An early exit between the copy and its wait.
template <bool wrong>
__global__ void gather(const float4* in, int n, float* out) {
  __shared__ float4 part[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  if constexpr (!wrong) {
    if (i >= n) return;
  }
  __pipeline_memcpy_async(&part[t], &in[i], sizeof(float4));  // @exit.copy
  __pipeline_commit();
  if constexpr (wrong) {
    if (i >= n) return;
  }
  __pipeline_wait_prior(0);
  out[i] = part[t].x + part[t].y + part[t].z + part[t].w;
}
template <bool wrong>
void run_exit() {
  gather<wrong><<<2, 32>>>(reinterpret_cast<float4*>(device_numbers<float>(256)), 50, device_array<float>(64));
}

// A pipeline of one thread: two stages are committed, one is consumed.
template <bool wrong>
__global__ void two_stages(const int* a, const int* b, int* out) {
  __shared__ int part[2][48];
  const int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&part[0][t], &a[t], sizeof(int), pipe);
  pipe.producer_commit();
  pipe.producer_acquire();
  cuda::memcpy_async(&part[1][t], &b[t], sizeof(int), pipe);  // @stage.copy
  pipe.producer_commit();
  pipe.consumer_wait();
  int sum = part[0][t];
  pipe.consumer_release();
  if constexpr (!wrong) pipe.consumer_wait();
  sum += part[1][t];  // @stage.read
  if constexpr (!wrong) pipe.consumer_release();
  out[t] = sum;
}
template <bool wrong>
void run_stage() {
  two_stages<wrong><<<1, 48>>>(device_numbers<int>(48), device_numbers<int>(48), device_array<int>(48));
}

// The last iteration of a pipeline prefetches a stage, the only one that is never consumed.
template <bool wrong>
__global__ void prefetch(const int* in, int rounds, int* out) {
  __shared__ int part[2][32];
  const int t = threadIdx.x;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  auto start = [&](int round) {
    pipe.producer_acquire();
    cuda::memcpy_async(&part[round % 2][t], &in[round * 32 + t], cuda::aligned_size_t<4>(4), pipe);  // @prefetch.copy
    pipe.producer_commit();
  };
  start(0);
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (wrong || r + 1 < rounds) start(r + 1);
    pipe.consumer_wait();
    sum += part[r % 2][t];
    pipe.consumer_release();
  }
  out[t] = sum;
}
template <bool wrong>
void run_prefetch() {
  prefetch<wrong><<<1, 32>>>(device_numbers<int>(128), 3, device_array<int>(32));
}

// A copy bound to a cuda::barrier in shared memory, at which no thread arrives.
template <bool wrong>
__global__ void bound(const int* in, int* out) {
  __shared__ int part[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&ready, block.size());
  block.sync();
  cuda::memcpy_async(block, part, in, sizeof part, ready);  // @bound.copy
  if constexpr (wrong) {
    block.sync();
  } else {
    ready.arrive_and_wait();
  }
  out[threadIdx.x] = part[threadIdx.x ^ 1];  // @bound.read
}
template <bool wrong>
void run_bound() {
  bound<wrong><<<1, 64>>>(device_numbers<int>(64), device_array<int>(64));
}

// A pipeline of the block, whose data are read after a barrier instead of consumer_wait().
template <bool wrong>
__global__ void shared_stage(const int* in, int* out) {
  __shared__ int part[64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, part, in, sizeof part, pipe);  // @pipe.copy
  pipe.producer_commit();
  if constexpr (!wrong) pipe.consumer_wait();
  out[threadIdx.x] = part[(threadIdx.x + 32) % 64];  // @pipe.read
  if constexpr (!wrong) pipe.consumer_release();
}
template <bool wrong>
void run_pipe() {
  shared_stage<wrong><<<1, 64>>>(device_numbers<int>(64), device_array<int>(64));
}

// Threads arrive at the block's barrier and return without the wait.
template <bool wrong>
__global__ void post(const int* x, int* out) {
  __shared__ int part[64];
  const auto block = cg::this_thread_block();
  part[threadIdx.x] = x[threadIdx.x];
  auto token = block.barrier_arrive();  // @post.arrive
  if constexpr (wrong) {
    if (threadIdx.x >= 32) return;
  }
  block.barrier_wait(static_cast<decltype(token)&&>(token));
  if (threadIdx.x < 32) out[blockIdx.x * 32 + threadIdx.x] = part[threadIdx.x + 32];
}
template <bool wrong>
void run_post() {
  post<wrong><<<2, 64>>>(device_numbers<int>(64), device_array<int>(64));
}

// An object arrives in its constructor, and a flag decides whether it also waits.
struct phase {
  cg::grid_group grid;
  cg::grid_group::arrival_token token;
  __device__ explicit phase(const cg::grid_group& g) : grid(g), token(g.barrier_arrive()) {}  // @phase.arrive
  __device__ void finish() { grid.barrier_wait(static_cast<cg::grid_group::arrival_token&&>(token)); }
};
template <bool wrong>
__global__ void overlap(int* x, bool last) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank(), n = grid.num_threads();
  const int mine = x[i];
  phase reading(grid);
  const int next = mine * 2;
  reading.finish();
  x[(i + 1) % n] = next;
  phase writing(grid);
  if (!wrong || !last) writing.finish();
}
template <bool wrong>
void run_phase() {
  int* x = device_numbers<int>(64);
  bool last = true;
  void* arguments[] = {&x, &last};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(overlap<wrong>), dim3(2), dim3(32), arguments, 0, nullptr);
}

// `break` skips the wait for the last arrival at a cluster's barrier.
template <bool wrong>
__global__ void __cluster_dims__(2, 1, 1) rounds(int* x, int n) {
  const cg::cluster_group cluster = cg::this_cluster();
  for (int r = 0;; ++r) {
    atomicAdd(&x[r], 1);
    cluster.barrier_arrive();  // @break.arrive
    if (wrong && r + 1 == n) break;
    cluster.barrier_wait();
    if (r + 1 == n) break;
  }
}
template <bool wrong>
void run_break() {
  rounds<wrong><<<4, 32>>>(device_array<int>(3), 3);
}

#define CASE(name) {#name, run_##name<true>, run_##name<false>}
const planted_case cases[] = {CASE(block), CASE(ahead), CASE(prior), CASE(exit),  CASE(stage), CASE(prefetch),
                              CASE(bound), CASE(pipe),  CASE(post),  CASE(phase), CASE(break)};
int main(int words, char** word) { return run_case(cases, words, word); }
