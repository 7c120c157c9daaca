// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarriers by CCCL's <cuda/ptx>, <cuda/barrier> and <cuda/pipeline>, whose functions are inline PTX: stages between
// producers and consumers, transaction counts, bulk copies, arrivals and stores in the other block of a cluster.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include <utility>

#include "../plugin/check.hpp"

namespace ptx = cuda::ptx;

__device__ unsigned in_shared(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

__global__ void stages(int* out, int rounds) {
  __shared__ uint64_t full[2], empty[2];
  __shared__ int values[2][32];
  const unsigned i = threadIdx.x;
  if (i < 2) {
    ptx::mbarrier_init(&full[i], 32);
    ptx::mbarrier_init(&empty[i], blockDim.x - 32);
  }
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int s = round % 2;
    const unsigned parity = round / 2 % 2;
    if (i < 32) {
      while (!ptx::mbarrier_try_wait_parity(&empty[s], parity ^ 1)) {
      }
      values[s][i] = round * 100 + static_cast<int>(i);
      if (i % 2 == 0) (void)ptx::mbarrier_arrive_no_complete(&full[s], 1);
      __syncwarp();
      if (i % 2 == 1) (void)ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s]);
    } else {
      while (!ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cta, &full[s], parity)) {
      }
      sum += values[s][i * 7 % 32];
      (void)ptx::mbarrier_arrive(&empty[s]);
    }
  }
  out[i] = sum;
}

__global__ void bytes(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int values[97];
  const unsigned i = threadIdx.x, n = blockDim.x;
  if (i == 0) init(&bar, n);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 6; ++round) {
    values[i] = round * static_cast<int>(i);
    bar.arrive_and_wait();
    sum += values[(i + 5) % n];
    auto token = bar.arrive();
    bar.wait(std::move(token));
  }
  auto token = cuda::device::barrier_arrive_tx(bar, 1, i == 0 ? 64 : 0);
  if (i == 2) {
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 64;" ::"r"(
                     in_shared(cuda::device::barrier_native_handle(bar)))
                 : "memory");
  }
  bar.wait(std::move(token));
  out[i] = sum;
}

// On sm_90, cohortcc's default, each of the copies is a bulk copy.
__global__ void aligned_copies(const int* in, int* out, int rounds) {
  constexpr unsigned count = 96;
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ alignas(16) int values[count];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&bar, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (i == 0) cuda::memcpy_async(values, in + round * count, cuda::aligned_size_t<16>(sizeof values), bar);
    bar.arrive_and_wait();
    sum += values[(i + 5) % count];
    bar.arrive_and_wait();
  }
  out[i] = sum;
}

struct whole_block {
  __device__ unsigned size() const { return blockDim.x; }
  __device__ unsigned thread_rank() const { return threadIdx.x; }
  __device__ void sync() const { __syncthreads(); }
};
__global__ void pipeline(const int* in, int* out, int chunks) {
  constexpr int depth = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
  __shared__ int buffer[depth][64];
  auto pipe = cuda::make_pipeline(whole_block{}, &state);
  int sum = 0, fetched = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    for (; fetched < chunks && fetched < chunk + depth; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[fetched % depth][threadIdx.x], &in[fetched * 64 + threadIdx.x], sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += buffer[chunk % depth][threadIdx.x ^ 1];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

template <class T>
__device__ T* in_block(T* at, unsigned rank) {
  unsigned mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(in_shared(at)), "r"(rank));
  return static_cast<T*>(__cvta_shared_to_generic(mapped));
}
__global__ void __cluster_dims__(2, 1, 1) remote(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[2];
  const unsigned rank = ptx::get_sreg_cluster_ctarank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  if (threadIdx.x == 0) {
    (void)ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &bar, 12);
  }
  if (threadIdx.x == 1) {
    const int32_t stored[2] = {10 + static_cast<int>(rank), 20 + static_cast<int>(rank)};
    ptx::st_async(in_block(values, rank ^ 1), stored, in_block(&bar, rank ^ 1));
    ptx::red_async(ptx::op_add, in_block(&values[1], rank ^ 1), 5, in_block(&bar, rank ^ 1));
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &bar, 0)) {
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[0] * 1000 + values[1];
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

int main() {
  int *in, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&in, 64 * 9 * sizeof(int)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, 160 * sizeof(int)));
  for (int i = 0; i < 64 * 9; ++i) in[i] = i * 3;
  stages<<<1, 160>>>(out, 9);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 32; t < 160; ++t) expect_equal(out[t], 3600 + 9 * (t * 7 % 32), "stages", t);
  bytes<<<1, 97>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 97; ++t) expect_equal(out[t], 15 * ((t + 5) % 97), "bytes", t);
  aligned_copies<<<1, 97>>>(in, out, 6);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 97; ++t) {
    int wanted = 0;
    for (int round = 0; round < 6; ++round) wanted += in[round * 96 + (t + 5) % 96];
    expect_equal(out[t], wanted, "aligned_copies", t);
  }
  pipeline<<<1, 64>>>(in, out, 9);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) {
    int wanted = 0;
    for (int chunk = 0; chunk < 9; ++chunk) wanted += in[chunk * 64 + (t ^ 1)];
    expect_equal(out[t], wanted, "pipeline", t);
  }
  remote<<<2, 32>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) {
    const int from = t / 32 ^ 1;
    expect_equal(out[t], (10 + from) * 1000 + 25 + from, "remote", t);
  }
  return result();
}
