// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with and without races, at each level of threads. A line with a mark, such as [a], is one side of a race. The
// comment above a kernel lists its pairs of marks with the count that must be found, as in `race: a b 32`. Kernels
// without such a comment have no race. test_races.py compares.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cohort/cohort.hpp>
#include <cstdio>
#include <cuda/atomic>

namespace cg = cooperative_groups;

// race: a b 31
__global__ void lanes(int* out) {
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;                      // [a]
  if (i > 0) out[i] = values[i - 1];  // [b]
}
__global__ void lanes_in_order(int* out) {
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;
  __syncwarp();
  if (i > 0) out[i] = values[i - 1];
}
// The upper half of the warp does not synchronise.
// race: a b 16
__global__ void half_a_warp(int* out) {
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;  // [a]
  if (i < 16) {
    __syncwarp(0xffff);
    out[i] = values[i ^ 1] + 1;
  } else {
    out[i] = values[i ^ 1];  // [b]
  }
}
// A shuffle orders no memory accesses.
// race: a b 32
__global__ void shuffle(int* out) {
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;  // [a]
  out[i] = __shfl_xor_sync(~0u, i, 1);
  out[i] += values[i ^ 1];  // [b]
}
// Accesses are ordered within a tile of 8, but not between two tiles.
// race: a b 32
__global__ void tiles_of_8(int* out) {
  __shared__ int values[32];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;  // [a]
  tile.sync();
  out[i] = values[i ^ 7];
  out[i] += values[i ^ 8];  // [b]
}
// race: a b 128
__global__ void tiles_of_64(int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int values[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;  // [a]
  tile.sync();
  out[i] = values[i ^ 32];
  out[i] += values[i ^ 64];  // [b]
}
// race: a b 64
__global__ void warps(int* out) {
  extern __shared__ int values[];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;  // [a]
  __syncwarp();
  out[i] = values[i ^ 32];  // [b]
}
__global__ void warps_in_order(int* out) {
  extern __shared__ int values[];
  const int i = static_cast<int>(threadIdx.x);
  for (int round = 0; round < 4; ++round) {
    values[i] = i;
    __syncthreads();
    out[static_cast<int>(blockIdx.x) * 64 + i] = values[i ^ 32];
    __syncthreads();
  }
}
// race: a b 128
__global__ void blocks(int* out, int* values) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = 1;  // [a]
  __syncthreads();
  out[i] = values[i ^ 64];  // [b]
}
__global__ void blocks_in_order(int* out, int* values) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = 1;
  cg::this_grid().sync();
  out[i] = values[i ^ 64];
}
// race: a b 64
__global__ void __cluster_dims__(2, 1, 1) cluster(int* out) {
  __shared__ int values[32];
  const auto both = cg::this_cluster();
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;  // [a]
  __syncthreads();
  out[i + 32 * static_cast<int>(blockIdx.x)] = both.map_shared_rank(values, both.block_rank() ^ 1)[i];  // [b]
  both.sync();
}
__global__ void __cluster_dims__(2, 1, 1) cluster_in_order(int* out) {
  __shared__ int values[32];
  const auto both = cg::this_cluster();
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;
  both.sync();
  out[i + 32 * static_cast<int>(blockIdx.x)] = both.map_shared_rank(values, both.block_rank() ^ 1)[i];
  both.sync();
}
// Collectives end without a barrier: a block may end, and later clusters reuse its memory, while the other block reads.
__global__ void __cluster_dims__(2, 1, 1) cluster_collectives(int* out) {
  const auto both = cg::this_cluster();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = cohort::broadcast(both, static_cast<int>(threadIdx.x), 33);
  out[i] += cohort::reduce(both, static_cast<int>(threadIdx.x), cohort::plus<int>());
}

// Each thread writes 32 words and its neighbours write half of them: 3 times 16 words.
// race: a a 48
__global__ void loop_of_words(int* out) {
  int* const mine = out + threadIdx.x * 16;
  for (int k = 0; k < 32; ++k) mine[k] = k;  // [a]
}
// A loop that clang vectorizes after the checks were added.
// race: a b 128
__global__ void loop_of_vectors(int* __restrict__ out, const int* __restrict__ in) {
  int* const mine = out + threadIdx.x * 64;
  for (int k = 0; k < 64; ++k) mine[k] = k;  // [a]
  const int* const next = in + (threadIdx.x ^ 1) * 64;
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum += next[k];  // [b]
  out[1000 + threadIdx.x] = sum;
}
// Threads write bytes of one word: first each its own byte, then all the same one.
// race: a a 31
__global__ void bytes(char* out) {
  out[threadIdx.x] = 1;
  out[128] = 1;  // [a]
}
__global__ void early_exit(int* out) {
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;
  if (i >= 40) return;
  __syncthreads();
  out[i] = values[63 - i];
}
__global__ void reductions(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int sum = cg::reduce(warp, static_cast<int>(threadIdx.x), cg::plus<int>());
  if (warp.thread_rank() == 0) out[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[0] += out[1];
}
__global__ void split_barrier(int* out) {
  __shared__ int values[64];
  const auto block = cg::this_thread_block();
  const int i = static_cast<int>(threadIdx.x);
  values[i] = i;
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  out[i] = values[63 - i];
}

__global__ void counters(int* out) { atomicAdd(&out[threadIdx.x % 4], 1); }
// The plain read of thread 0 races with the update of thread 1, and the plain read of thread 1 with that of thread 0.
// race: a b 2
__global__ void counter_read_early(int* out) {
  atomicAdd(&out[0], 1);          // [a]
  out[1 + threadIdx.x] = out[0];  // [b]
}
// race: a a 1
__global__ void counter_of_block_scope(int* out) {
  atomicAdd_block(&out[0], 1);  // [a]
}

__device__ int data, flag, lock;
__device__ volatile int volatile_flag;
__device__ int tickets, serving;
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;

__global__ void clear_flags() {
  data = flag = lock = tickets = serving = 0;
  volatile_flag = 0;
  ready.store(0, cuda::memory_order_relaxed);
}

__global__ void message(int* out) {
  if (blockIdx.x == 0) {
    data = 42;
    __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data;
  }
}
// race: a b 1
__global__ void message_without_fence(int* out) {
  if (blockIdx.x == 0) {
    data = 42;  // [a]
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data;  // [b]
  }
}
// race: a b 1
__global__ void message_with_fence_of_block(int* out) {
  if (blockIdx.x == 0) {
    data = 42;  // [a]
    __threadfence_block();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data;  // [b]
  }
}
__global__ void volatile_message(int* out) {
  if (blockIdx.x == 0) {
    data = 42;
    __threadfence();
    volatile_flag = 1;
  } else {
    while (volatile_flag == 0) {
    }
    __threadfence();
    out[0] = data;
  }
}
// race: a b 1
__global__ void volatile_message_read_early(int* out) {
  if (blockIdx.x == 0) {
    data = 42;  // [a]
    __threadfence();
    volatile_flag = 1;
  } else {
    while (volatile_flag == 0) {
    }
    out[0] = data;  // [b]
  }
}
__global__ void atomic_message(int* out) {
  if (blockIdx.x == 0) {
    data = 42;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = data;
  }
}
// race: a b 1
__global__ void relaxed_message(int* out) {
  if (blockIdx.x == 0) {
    data = 42;  // [a]
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
    out[0] = data;  // [b]
  }
}
__global__ void spin_lock() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  data += 1;
  __threadfence();
  atomicExch(&lock, 0);
}
// race: a a 3
__global__ void spin_lock_without_release() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  data = static_cast<int>(blockIdx.x);  // [a]
  atomicExch(&lock, 0);
}
// The blocks take the lock in turn and nothing goes wrong here, but a GPU may move the write before the lock.
// race: a a 3
__global__ void spin_lock_without_acquire() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  data = static_cast<int>(blockIdx.x);  // [a]
  __threadfence();
  atomicExch(&lock, 0);
}
__global__ void ticket_lock() {
  const int mine = atomicAdd(&tickets, 1);
  while (atomicAdd(&serving, 0) != mine) {
  }
  __threadfence();
  data += 1;
  __threadfence();
  atomicAdd(&serving, 1);
}
// The last block adds up what all blocks have written. Each writing thread has a fence of its own.
__global__ void last_block(int* out, int* parts) {
  __shared__ bool last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&tickets, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i * blockDim.x + threadIdx.x];
  out[threadIdx.x] = sum;
}

// free() by one thread and malloc() by another give the same memory in turn.
__global__ void heap_in_turn(int* out) {
  int* const own = static_cast<int*>(malloc(sizeof(int)));
  *own = static_cast<int>(threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = *own;
  free(own);
}

// race: a a 31
__global__ void heap_of_all(int*) {
  __shared__ int* common;
  if (threadIdx.x == 0) common = static_cast<int*>(malloc(sizeof(int)));
  __syncthreads();
  *common = static_cast<int>(threadIdx.x);  // [a]
  __syncthreads();
  if (threadIdx.x == 0) free(common);
}

// One of two readers releases. The other one reads later, and nothing orders that read before the write.
// race: a b 1
__global__ void release_of_one_reader(int* out) {
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence();
    data = 1;  // [b]
  } else if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[0] = data;
    __threadfence();
    atomicExch(&flag, 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    out[1] = data;  // [a]
  }
}

int main() {
  int *out = nullptr, *values = nullptr;
  cudaMalloc(&out, 1 << 16);
  cudaMalloc(&values, 1 << 16);
  lanes<<<1, 32>>>(out);
  heap_in_turn<<<2, 64>>>(out + 128);
  heap_of_all<<<1, 32>>>(out);
  lanes_in_order<<<1, 32>>>(out);
  half_a_warp<<<1, 32>>>(out);
  shuffle<<<1, 32>>>(out);
  tiles_of_8<<<1, 32>>>(out);
  tiles_of_64<<<1, 128>>>(out);
  warps<<<1, 64, 256>>>(out);
  warps_in_order<<<2, 64, 256>>>(out);
  blocks<<<2, 64>>>(out, values);
  void* arguments[] = {&out, &values};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(blocks_in_order), 2, 64, arguments, 0, nullptr);
  cluster<<<2, 32>>>(out);
  cluster_in_order<<<2, 32>>>(out);
  cluster_collectives<<<24, 32>>>(out);
  loop_of_words<<<1, 4>>>(out);
  loop_of_vectors<<<1, 2>>>(out, out);
  bytes<<<1, 32>>>(reinterpret_cast<char*>(out));
  early_exit<<<1, 64>>>(out);
  reductions<<<1, 64>>>(out);
  split_barrier<<<1, 64>>>(out);
  counters<<<4, 64>>>(out);
  counter_read_early<<<1, 2>>>(out);
  counter_of_block_scope<<<2, 1>>>(out);
  void (*const messages[])(int*) = {
      message,        message_without_fence, message_with_fence_of_block, volatile_message,
      atomic_message, relaxed_message,       volatile_message_read_early};
  for (const auto kernel : messages) {
    clear_flags<<<1, 1>>>();
    kernel<<<2, 1>>>(out);
  }
  void (*const locks[])() = {spin_lock, spin_lock_without_release, spin_lock_without_acquire, ticket_lock};
  for (const auto kernel : locks) {
    clear_flags<<<1, 1>>>();
    kernel<<<4, 1>>>();
  }
  clear_flags<<<1, 1>>>();
  last_block<<<4, 32>>>(out, values);
  clear_flags<<<1, 1>>>();
  release_of_one_reader<<<2, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
