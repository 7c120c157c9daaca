// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words in device memory, or in a block of a cluster, that one block initialises and all blocks use after a barrier of
// the block. As in partial_barriers.cu, an access of the first block lies between the two of the race, and the instance
// with `in_order` is correct. Marks as in races.cu.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/atomic>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads = 40, blocks = 3, all_threads = threads * blocks;

template <bool in_order>
__device__ void barrier() {
  if (in_order) {
    cg::this_grid().sync();
  } else {
    __syncthreads();
  }
}

__device__ unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace

// race: a b 1+
template <bool in_order>
__global__ void write_then_add(int* out, int* words) {
  if (blockIdx.x == 0) words[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  out[rank()] = atomicAdd(&words[threadIdx.x], 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_add_without_result(int*, int* words) {
  if (blockIdx.x == 1) words[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(&words[threadIdx.x % 7], 1);  // [b]
}
// Each block initialises its part, and all add to all parts.
// race: a b 1+
template <bool in_order>
__global__ void writes_then_adds(int*, int* words) {
  words[rank()] = 0;  // [a]
  barrier<in_order>();
  for (unsigned i = 0; i < all_threads; i += threads) atomicAdd(&words[i + threadIdx.x], 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_maximum(int*, int* words) {
  if (blockIdx.x == 0 && threadIdx.x == 0) words[0] = 0;  // [a]
  barrier<in_order>();
  atomicMax(&words[0], static_cast<int>(rank()));  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_compare(int*, int* words) {
  if (blockIdx.x == 0 && threadIdx.x == 0) words[0] = 0;  // [a]
  barrier<in_order>();
  atomicCAS(&words[0], 0, 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_atomic_object(int*, int* words) {
  if (blockIdx.x == 0 && threadIdx.x == 0) words[5] = 0;  // [a]
  barrier<in_order>();
  const cuda::atomic_ref<int, cuda::thread_scope_device> word(words[5]);
  word.fetch_add(1, cuda::memory_order_relaxed);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void read_then_add(int* out, int* words) {
  if (blockIdx.x == 0) out[threadIdx.x] = words[threadIdx.x];  // [a]
  barrier<in_order>();
  atomicAdd(&words[threadIdx.x], 1);  // [b]
}
// Between the accesses lie an update and a plain read of the first block.
// race: a b 1+
template <bool in_order>
__global__ void write_add_read_then_load(int* out, int* words) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) words[3] = 0;  // [a]
    __syncthreads();
    if (threadIdx.x == 1) atomicAdd(&words[3], 1);
    __syncthreads();
    if (threadIdx.x == 2) out[0] = words[3];
  }
  barrier<in_order>();
  if (blockIdx.x == 2 && threadIdx.x == 0) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> word(words[3]);
    out[1] = word.load(cuda::memory_order_relaxed);  // [b]
  }
}
// The update with device scope does not hide the updates with block scope.
// race: a b 1+
template <bool in_order>
__global__ void add_in_block_then_add(int*, int* words) {
  if (blockIdx.x == 0) {
    atomicAdd_block(&words[0], 1);  // [a]
    __syncthreads();
    atomicAdd(&words[0], 1);
  }
  barrier<in_order>();
  if (blockIdx.x == 1) atomicAdd(&words[0], 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void vectors_then_add(int*, int* words) {
  if (blockIdx.x == 0 && threadIdx.x < 8) reinterpret_cast<int4*>(words)[threadIdx.x] = make_int4(0, 0, 0, 0);  // [a]
  barrier<in_order>();
  atomicAdd(&words[threadIdx.x % 32], 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void words_then_add_of_pairs(int*, int* words) {
  if (blockIdx.x == 0) words[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(reinterpret_cast<unsigned long long*>(words) + threadIdx.x % 20, 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void pairs_then_add(int*, int* words) {
  if (blockIdx.x == 0 && threadIdx.x < 20) reinterpret_cast<double*>(words)[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(&words[threadIdx.x], 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void bytes_then_add(int*, int* words) {
  if (blockIdx.x == 0) reinterpret_cast<char*>(words)[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(&words[threadIdx.x % 10], 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_volatile_flag(int*, int* words) {
  volatile int* const flag = words;
  if (rank() == 0) words[0] = 0;  // [a]
  barrier<in_order>();
  if (rank() == 0) *flag = 1;
  if (rank() == all_threads - 1) {
    while (*flag == 0) {  // [b]
    }
  }
}
// The copy of block 0 may read until its thread waits.
// race: a b 1+
template <bool in_order>
__global__ void copy_later_then_read_then_add(int* out, int* words) {
  __shared__ int copied[threads];
  if (blockIdx.x == 0) __pipeline_memcpy_async(&copied[threadIdx.x], &words[threadIdx.x], 4);  // [a]
  __pipeline_commit();
  if (in_order) __pipeline_wait_prior(0);
  if (blockIdx.x == 0) out[threadIdx.x] = words[threadIdx.x ^ 1];
  cg::this_grid().sync();
  if (blockIdx.x == 1) atomicAdd(&words[threadIdx.x], 1);  // [b]
  __pipeline_wait_prior(0);
}

// The words lie in the memory of a cluster's first block.
template <bool in_order>
__device__ void barrier_of_cluster() {
  if (in_order) {
    cg::this_cluster().sync();
  } else {
    __syncthreads();
  }
}
// race: a b 1+
template <bool in_order>
__global__ void __cluster_dims__(3, 1, 1) cluster_write_then_add(int*, int*) {
  __shared__ int bins[threads];
  const auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 0) bins[threadIdx.x] = 0;  // [a]
  barrier_of_cluster<in_order>();
  atomicAdd(&cluster.map_shared_rank(bins, 0)[threadIdx.x], 1);  // [b]
  cluster.sync();
}
// race: a b 1+
template <bool in_order>
__global__ void __cluster_dims__(3, 1, 1) cluster_read_then_add(int* out, int*) {
  __shared__ int bins[threads];
  const auto cluster = cg::this_cluster();
  bins[threadIdx.x] = 0;
  cluster.sync();
  if (cluster.block_rank() == 0) out[threadIdx.x] = bins[threadIdx.x];  // [a]
  barrier_of_cluster<in_order>();
  atomicAdd(&cluster.map_shared_rank(bins, 0)[threadIdx.x], 1);  // [b]
  cluster.sync();
}

namespace {

void run(const void* kernel, int* out, int* words, bool cooperative) {
  void* arguments[] = {&out, &words};
  cudaMemset(words, 0, all_threads * sizeof(int));
  const cudaError_t error = cooperative ? cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments)
                                        : cudaLaunchKernel(kernel, blocks, threads, arguments);
  if (error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) std::printf("a kernel failed\n");
}

}  // namespace

#define RUN(kernel, cooperative)                                                 \
  run(reinterpret_cast<const void*>(&kernel<false>), out, words, (cooperative)); \
  run(reinterpret_cast<const void*>(&kernel<true>), out, words, (cooperative))

int main() {
  int *out = nullptr, *words = nullptr;
  cudaMalloc(&out, all_threads * sizeof(int));
  cudaMalloc(&words, all_threads * sizeof(int));
  RUN(write_then_add, true);
  RUN(write_then_add_without_result, true);
  RUN(writes_then_adds, true);
  RUN(write_then_maximum, true);
  RUN(write_then_compare, true);
  RUN(write_then_atomic_object, true);
  RUN(read_then_add, true);
  RUN(write_add_read_then_load, true);
  RUN(add_in_block_then_add, true);
  RUN(vectors_then_add, true);
  RUN(words_then_add_of_pairs, true);
  RUN(pairs_then_add, true);
  RUN(bytes_then_add, true);
  RUN(write_then_volatile_flag, true);
  RUN(copy_later_then_read_then_add, true);
  RUN(cluster_write_then_add, false);
  RUN(cluster_read_then_add, false);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
