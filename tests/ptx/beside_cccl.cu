// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cohort under CUDA's names beside CUDA's C++ libraries (libcu++, CUB, Thrust) and NCCL's device header, in several
// orders (ORDER = 0, 1, 2). CUB itself uses <cooperative_groups.h>: here it gets Cohort's.
//   0  Cohort first      1  Cohort last      2  alternating
// Only order 0 instantiates the kernels of Thrust and CUB, which compile slowly.
#ifndef ORDER
#define ORDER 0
#endif

#if ORDER == 0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#elif ORDER == 2
// clang-format off
#include <cuda/pipeline>
#include <cooperative_groups/scan.h>
#include <cuda/std/utility>
#include <cooperative_groups/memcpy_async.h>
#include <thrust/copy.h>
#include <cooperative_groups/reduce.h>
// clang-format on
#endif

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/tuple>

#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <cub/cub.cuh>
#if __has_include(<nccl_device.h>)
#include <nccl_device.h>
#endif

#if ORDER != 0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#endif

#include <cstdio>

namespace cg = cooperative_groups;

// A group's thread_scope has CUDA's type.
static_assert(cg::thread_block::thread_scope == cuda::thread_scope_block);
static_assert(cg::thread_block_tile<32>::thread_scope == cuda::thread_scope_block);
static_assert(cg::grid_group::thread_scope == cuda::thread_scope_device);
constexpr cuda::thread_scope scope_of_grid = cg::grid_group::thread_scope;
template <class Group>
using barrier_of = cuda::barrier<Group::thread_scope>;

constexpr int threads = 128;
using block_barrier = barrier_of<cg::thread_block>;
using stages = cuda::pipeline_shared_state<cg::thread_block::thread_scope, 2>;

// Sums: out[0] by barriers, out[1] by a pipeline, out[2] by Cohort's copy, out[3] by atomics, out[4] by CUB.
__global__ void copies(const int* in, int* out) {
  __shared__ alignas(16) int buffer[threads];
  __shared__ alignas(block_barrier) unsigned char barrier_bytes[sizeof(block_barrier)];
  __shared__ alignas(stages) unsigned char stage_bytes[sizeof(stages)];
  __shared__ cub::BlockReduce<int, threads>::TempStorage scratch;
  auto& barrier = *reinterpret_cast<block_barrier*>(barrier_bytes);
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const auto rank = block.thread_rank();
  const auto add = [tile](int* to, int value) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> sum(*to);
    cg::reduce_update_async(tile, sum, value, cg::plus<int>());
  };

  if (rank == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, buffer, in, sizeof(buffer), barrier);
  barrier.arrive_and_wait();
  add(&out[0], buffer[rank]);
  block.sync();
  cuda::memcpy_async(tile, buffer + rank / 32 * 32, in + rank / 32 * 32, cuda::aligned_size_t<16>(32 * sizeof(int)),
                     barrier);
  barrier.arrive_and_wait();
  add(&out[0], buffer[rank]);
  block.sync();

  auto pipeline = cuda::make_pipeline(block, reinterpret_cast<stages*>(stage_bytes));
  pipeline.producer_acquire();
  cuda::memcpy_async(block, buffer, in, cuda::aligned_size_t<16>(sizeof(buffer)), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  add(&out[1], buffer[rank]);
  pipeline.consumer_release();
  block.sync();

  cg::memcpy_async(block, buffer, cuda::aligned_size_t<16>(threads), in, cuda::aligned_size_t<16>(threads));
  cg::wait(block);
  add(&out[2], buffer[rank]);

  auto* const sum = reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device>*>(&out[3]);
  cg::reduce_update_async(tile, *sum, buffer[rank], cg::plus<int>());
  cg::inclusive_scan_update(tile, *sum, buffer[rank], cg::plus<int>());
  const int all = cub::BlockReduce<int, threads>(scratch).Sum(cg::exclusive_scan(tile, 1));
  if (rank == 0) out[4] = all;
}

struct doubled {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};

// Doubles the numbers with CUB and with Thrust, and sums them.
int doubled_sum([[maybe_unused]] const thrust::device_vector<int>& in) {
#if ORDER == 0
  thrust::device_vector<int> out(in.size()), again(in.size());
  thrust::transform(in.begin(), in.end(), again.begin(), doubled{});
#if CUB_VERSION >= 200800
  // Before sm_90 CUB's kernel copies with cooperative_groups::memcpy_async.
  cub::DeviceTransform::Transform(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()), threads,
                                  doubled{});
#else
  out = again;
#endif
  return thrust::reduce(out.begin(), out.end());
#else
  return threads * (threads + 1);
#endif
}

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("no GPU\n");
    return 77;
  }
  thrust::device_vector<int> in(threads), out(5);
  for (int i = 0; i < threads; ++i) in[i] = threads - i;
  copies<<<1, threads>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()));
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const int all = threads * (threads + 1) / 2;
  const int expected[5] = {2 * all, all, all, 2 * all, threads / 32 * 31 * 16};
  int wrong = doubled_sum(in) == 2 * all ? 0 : 1;
  for (int i = 0; i < 5; ++i) wrong += out[i] == expected[i] ? 0 : 1;
  std::printf("beside CCCL, order %d: %s\n", ORDER, wrong == 0 ? "right" : "WRONG");
  return wrong == 0 && scope_of_grid == cuda::thread_scope_device ? 0 : 1;
}
