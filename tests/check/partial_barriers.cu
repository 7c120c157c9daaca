// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words in shared memory that some threads initialise, and all threads use after a barrier of only some threads.
// Between the two accesses of a race lies a third one that is ordered with both. Barriers of only some threads order
// the first access before the last one. The instance with `in_order` is correct. Marks as in races.cu.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstring>
#include <cuda/atomic>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads = 100;  // the last warp has 4 lanes

__device__ void sync_two_warps() { asm volatile("bar.sync 1, 64;" ::: "memory"); }

template <bool in_order>
__device__ void barrier() {
  in_order ? __syncthreads() : __syncwarp();
}

}  // namespace

// race: a b 1+
template <bool in_order>
__global__ void write_then_add(int* out) {
  __shared__ int bins[33];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(&bins[threadIdx.x % 32], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_add_in_block(int* out) {
  __shared__ int bins[33];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd_block(&bins[threadIdx.x % 32], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_exchange(int* out) {
  __shared__ int bins[33];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicExch(&bins[threadIdx.x % 32], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_compare(int* out) {
  __shared__ int bins[33];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicCAS(&bins[threadIdx.x % 32], 0, 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_maximum(int* out) {
  __shared__ int bins[33];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicMax(&bins[threadIdx.x % 7], static_cast<int>(threadIdx.x));  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_add_to_one(int* out) {
  __shared__ int bins[33];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  if (threadIdx.x % 32 == 5) atomicAdd(&bins[5], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_atomic_object(int* out) {
  __shared__ int bins[33];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  cuda::atomic_ref<int, cuda::thread_scope_block>(bins[threadIdx.x % 32]).fetch_add(1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_add_in_loop(int* out) {
  __shared__ int bins[33];
  for (unsigned i = threadIdx.x; i < 33 && threadIdx.x < 32; i += 32) bins[i] = 0;  // [a]
  barrier<in_order>();
  for (int k = 0; k < 5; ++k) {
    atomicAdd(&bins[(threadIdx.x + k) % 33], 1);  // [b]
  }
  __syncthreads();
  if (threadIdx.x < 33) out[threadIdx.x] = bins[threadIdx.x];
}
// Two updates at two lines follow the write: the update of the writer's warp does not hide that of another warp.
// race: a b 1+
template <bool in_order>
__global__ void write_then_two_updates(int* out) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], 1);
  if (threadIdx.x == 64) atomicSub(&bins[3], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_of_tile_then_add(int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int bins[64];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;  // [a]
  if (in_order) {
    __syncthreads();
  } else {
    tile.sync();
  }
  atomicAdd(&bins[threadIdx.x % 64], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_of_two_warps_then_add(int* out) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) {
    bins[threadIdx.x] = 0;  // [a]
    sync_two_warps();
  }
  if (in_order) __syncthreads();
  atomicAdd(&bins[threadIdx.x % 64], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void write_of_coalesced_lanes_then_add(int* out) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) {
    const auto lanes = cg::coalesced_threads();
    bins[threadIdx.x] = 0;  // [a]
    lanes.sync();
  }
  if (in_order) __syncthreads();
  atomicAdd(&bins[threadIdx.x % 8], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
// The plain read of warp 0 races with the updates of other warps, not with those of its own warp.
// race: a b 1+
template <bool in_order>
__global__ void read_then_add(int* out) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];  // [a]
  barrier<in_order>();
  atomicAdd(&bins[threadIdx.x % 32], 1);  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void read_then_load_then_add(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = word;  // [a]
    out[1] = cuda::atomic_ref<int, cuda::thread_scope_block>(word).load(cuda::memory_order_relaxed);
  }
  barrier<in_order>();
  if (threadIdx.x == 40) atomicAdd(&word, 1);  // [b]
}
// Between the accesses lie an update and a plain read of the writer's warp.
// race: a b 1+
template <bool in_order>
__global__ void write_add_read_then_load(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;  // [a]
  __syncwarp();
  if (threadIdx.x == 1) atomicAdd(&word, 1);
  __syncwarp();
  if (threadIdx.x == 2) out[2] = word;
  barrier<in_order>();
  if (threadIdx.x == 70) {
    out[3] = cuda::atomic_ref<int, cuda::thread_scope_block>(word).load(cuda::memory_order_relaxed);  // [b]
  }
}
// Lanes 0 to 3 read, and only two of these lanes have a barrier afterwards.
// race: a b 1+
template <bool in_order>
__global__ void reads_of_lanes_then_write(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  __syncthreads();
  if (threadIdx.x < 4) {
    out[threadIdx.x] = word;  // [a]
    if (in_order) {
      __syncwarp(0xf);
    } else {
      if (threadIdx.x < 2) __syncwarp(0x3);
    }
    if (threadIdx.x == 0) word = 1;  // [b]
  }
}
// race: a b 1+
template <bool in_order>
__global__ void updates_of_lanes_then_read(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  __syncthreads();
  if (threadIdx.x < 4) {
    atomicAdd(&word, 1);  // [a]
    if (in_order) {
      __syncwarp(0xf);
    } else {
      if (threadIdx.x < 2) __syncwarp(0x3);
    }
    if (threadIdx.x == 1) out[0] = word;  // [b]
  }
}
// race: a b 1+
template <bool in_order>
__global__ void vectors_then_add(int* out) {
  __shared__ __align__(16) int bins[32];
  if (threadIdx.x < 8) reinterpret_cast<int4*>(bins)[threadIdx.x] = make_int4(0, 0, 0, 0);  // [a]
  barrier<in_order>();
  atomicAdd(&bins[threadIdx.x % 32], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void words_then_add_of_pairs(int* out) {
  __shared__ __align__(8) int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(reinterpret_cast<unsigned long long*>(bins) + threadIdx.x % 16, 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void pairs_then_add_of_words(int* out) {
  __shared__ double sums[16];
  if (threadIdx.x < 16) sums[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(reinterpret_cast<int*>(sums) + threadIdx.x % 32, 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = static_cast<int>(sums[threadIdx.x]);
}
// race: a b 1+
template <bool in_order>
__global__ void bytes_then_add(int* out) {
  __shared__ __align__(4) char bytes[32];
  if (threadIdx.x < 32) bytes[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(reinterpret_cast<int*>(bytes) + threadIdx.x % 8, 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bytes[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void halves_then_add(int* out) {
  __shared__ __align__(4) short halves[32];
  if (threadIdx.x < 32) halves[threadIdx.x] = 0;  // [a]
  barrier<in_order>();
  atomicAdd(reinterpret_cast<int*>(halves) + threadIdx.x % 16, 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = halves[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void memset_then_add(int* out) {
  __shared__ int bins[24];
  if (threadIdx.x == 0) memset(bins, 0, sizeof bins);  // [a]
  barrier<in_order>();
  atomicAdd(&bins[threadIdx.x % 24], 1);  // [b]
  __syncthreads();
  if (threadIdx.x < 24) out[threadIdx.x] = bins[threadIdx.x];
}
// race: a b 1+
template <bool in_order>
__global__ void structure_then_add(int* out) {
  struct counters {
    int a, b, c;
  };
  __shared__ counters all;
  if (threadIdx.x == 0) all = counters{1, 2, 3};  // [a]
  barrier<in_order>();
  atomicAdd(&all.b, 1);  // [b]
  __syncthreads();
  if (threadIdx.x == 0) out[0] = all.b;
}
// A volatile store by the thread that has initialised the flag.
// race: a b 1+
template <bool in_order>
__global__ void write_then_volatile_flag(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;  // [a]
  barrier<in_order>();
  volatile int* const seen = &flag;
  if (threadIdx.x == 0) *seen = 1;
  if (threadIdx.x == 64) {
    while (*seen == 0) {  // [b]
    }
  }
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_vectors(int* out) {
  __shared__ __align__(16) int words[128];
  words[threadIdx.x] = 1;  // [a]
  barrier<in_order>();
  const int4 four = reinterpret_cast<int4*>(words)[threadIdx.x / 4];
  __syncwarp();
  out[threadIdx.x] = four.x + reinterpret_cast<int4*>(words)[(threadIdx.x + 32) % 100 / 4].y;  // [b]
}
// race: a b 1+
template <bool in_order>
__global__ void write_then_copy_later(int* out) {
  __shared__ int words[64];
  if (threadIdx.x < 32) {
    words[threadIdx.x] = 0;  // [a]
    words[threadIdx.x + 32] = 0;
  }
  barrier<in_order>();
  if (threadIdx.x >= 64 && threadIdx.x < 96) {
    __pipeline_memcpy_async(&words[threadIdx.x - 64], &out[threadIdx.x], 4);  // [b]
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = words[threadIdx.x];
}
// The block reads the copy's source during the copy. The write follows these reads, but not those of the copy.
// race: a b 1+
template <bool in_order>
__global__ void copy_later_then_reads_then_write(int* out) {
  __shared__ int from[32];
  __shared__ int to[32];
  if (threadIdx.x < 32) from[threadIdx.x] = to[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) __pipeline_memcpy_async(&to[threadIdx.x], &from[threadIdx.x], 4);  // [a]
  __pipeline_commit();
  if (in_order) __pipeline_wait_prior(0);
  out[threadIdx.x] = from[threadIdx.x % 32];
  __syncthreads();
  if (threadIdx.x < 32) from[threadIdx.x] = 1;  // [b]
  __pipeline_wait_prior(0);
}

#define RUN(kernel)                   \
  kernel<false><<<1, threads>>>(out); \
  check(cudaDeviceSynchronize());     \
  kernel<true><<<1, threads>>>(out);  \
  check(cudaDeviceSynchronize())

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
}

}  // namespace

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(out, 0, 128 * sizeof(int));
  RUN(write_then_add);
  RUN(write_then_add_in_block);
  RUN(write_then_exchange);
  RUN(write_then_compare);
  RUN(write_then_maximum);
  RUN(write_then_add_to_one);
  RUN(write_then_atomic_object);
  RUN(write_then_add_in_loop);
  RUN(write_then_two_updates);
  RUN(write_of_tile_then_add);
  RUN(write_of_two_warps_then_add);
  RUN(write_of_coalesced_lanes_then_add);
  RUN(read_then_add);
  RUN(read_then_load_then_add);
  RUN(write_add_read_then_load);
  RUN(reads_of_lanes_then_write);
  RUN(updates_of_lanes_then_read);
  RUN(vectors_then_add);
  RUN(words_then_add_of_pairs);
  RUN(pairs_then_add_of_words);
  RUN(bytes_then_add);
  RUN(halves_then_add);
  RUN(memset_then_add);
  RUN(structure_then_add);
  RUN(write_then_volatile_flag);
  RUN(write_then_vectors);
  RUN(write_then_copy_later);
  RUN(copy_later_then_reads_then_write);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
