// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with and without wrong synchronisation, which happens to do no harm. The comment above a kernel lists what
// must be found: the kind, the marked lines, the count, and a part of the report. Kernels without such a comment have
// no finding. test_sync.py compares.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>

namespace cg = cooperative_groups;

// divergent: a b 1 | a condition around it must be equal for all threads of the block
__global__ void barrier_in_both_arms(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = 1;
  if (threadIdx.x < 24) {
    __syncthreads();  // [a]
  } else {
    __syncthreads();  // [b]
  }
  out[threadIdx.x] = values[63 - threadIdx.x];
}
// divergent: a b 4 | 40 threads
__global__ void barriers_of_two_loops(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = 1;
  if (threadIdx.x < 24) {
    for (int i = 0; i < 4; ++i) __syncthreads();  // [a]
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) cg::this_thread_block().sync();  // [b]
  }
  out[threadIdx.x] = values[63 - threadIdx.x];
}
__global__ void barrier_at_one_place(int* out) {
  __shared__ int values[64];
  if (threadIdx.x < 24) {
    values[threadIdx.x] = 1;
  } else {
    values[threadIdx.x] = 2;
  }
  __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];
}
__global__ void barriers_of_loops(int* out, int n) {
  __shared__ int values[64];
  int sum = 0;
  values[threadIdx.x] = 0;
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    __syncthreads();
    sum += values[63 - threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = sum + i;
  }
  for (int i = 0; i < n; ++i) {
    if (i % 2 == 0) {
      __syncthreads();
    } else {
      cg::this_thread_block().sync();
    }
  }
  out[threadIdx.x] = sum;
}
// CUDA counts the threads that have not returned, from compute capability 7.0 on.
__global__ void early_return(int* out) {
  __shared__ int values[64];
  if (threadIdx.x >= 40) return;
  values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[39 - threadIdx.x];
}
// divergent: a b 1 | all threads of the block
__global__ void votes_in_both_arms(int* out) {
  int all = 0;
  if (threadIdx.x < 24) {
    all = __syncthreads_and(1);  // [a]
  } else {
    all = __syncthreads_and(threadIdx.x);  // [b]
  }
  out[threadIdx.x] = all;
}
// divergent: a b 1 | all threads of the tile
__global__ void tile_in_both_arms(int* out) {
  __shared__ cg::block_tile_memory<64> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  if (threadIdx.x < 24) {
    tile.sync();  // [a]
  } else {
    tile.sync();  // [b]
  }
  out[threadIdx.x] = 1;
}
__device__ __forceinline__ void helper() {
  __syncthreads();  // [h]
}
// divergent: h h 1 | reached by two calls
__global__ void helper_in_both_arms(int* out) {
  if (threadIdx.x < 24) {
    helper();
    out[threadIdx.x] = 1;
  } else {
    helper();
    out[threadIdx.x] = 2;
  }
}

// All threads reach a function that waits by one call at a time, also in loops, in recursion and through pointers.
__device__ __noinline__ int rotated(int* values, int value) {
  values[threadIdx.x] = value;
  __syncthreads();
  const int other = values[(threadIdx.x + 1) % 64];
  __syncthreads();
  return other;
}
__device__ __noinline__ int rotated_often(int* values, int value, int times) {
  if (times == 0) return value;
  return rotated_often(values, rotated(values, value), times - 1);
}
__global__ void helpers_in_loops(int* out, int n) {
  __shared__ int values[64];
  int (*const functions[2])(int*, int, int) = {rotated_often, rotated_often};
  int value = threadIdx.x;
  for (int i = 0; i < n; ++i) value = rotated(values, value) + functions[i % 2](values, value, i % 3);
  out[threadIdx.x] = value;
}
__device__ __noinline__ int rotated_at(const int* values) {
  __syncthreads();  // [c]
  return values[(threadIdx.x + 1) % 64];
}
__device__ __noinline__ int rotated_deeper(const int* values) { return rotated_at(values) + 1; }
// divergent: c c 1 | "called_at": "sync.cu
__global__ void two_depths(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 24) {
    out[threadIdx.x] = rotated_at(values);
  } else {
    out[threadIdx.x] = rotated_deeper(values);
  }
}

// divergent: a b 2 | all lanes of the mask must execute the same call
__global__ void shuffle_in_both_arms(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x % 32 < 7) {
    value = __shfl_xor_sync(~0u, value, 1);  // [a]
  } else {
    value = __shfl_xor_sync(~0u, value, 1);  // [b]
  }
  out[threadIdx.x] = value;
}
__global__ void shuffles_of_masks(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x % 32 < 8) {
    value = __shfl_xor_sync(0xffu, value, 1);
  } else {
    value = __shfl_xor_sync(0xffffff00u, value, 1);
  }
  __syncwarp();
  out[threadIdx.x] = value;
}
// The barrier of a warp counts each lane, so its lanes may wait at several places.
__global__ void lanes_in_both_arms(int* out) {
  __shared__ int values[64];
  if (threadIdx.x % 32 == 0) {
    for (int i = 0; i < 32; ++i) values[threadIdx.x + i] = i;
    __syncwarp();
  } else {
    __syncwarp();
  }
  out[threadIdx.x] = values[threadIdx.x];
}

// copy without a wait: a 64 | before it waited
__global__ void copy_without_wait(int* out, const int* in) {
  __shared__ int values[64];
  __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4);  // [a]
  __pipeline_commit();
  out[threadIdx.x] = 1;
}
// copy without a wait: b 64 | before it waited
__global__ void last_stage_without_wait(int* out, const int* in) {
  __shared__ int values[2][64];
  __pipeline_memcpy_async(&values[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&values[1][threadIdx.x], &in[threadIdx.x], 4);  // [b]
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[threadIdx.x] = values[0][threadIdx.x];
}
__global__ void copy_with_wait(int* out, const int* in) {
  __shared__ int values[64];
  cg::memcpy_async(cg::this_thread_block(), values, in, sizeof values);
  cg::wait(cg::this_thread_block());
  out[threadIdx.x] = values[63 - threadIdx.x];
}

// arrival without a wait: a 64 | each arrival needs a wait
__global__ void arrival_without_wait(int* out) {
  auto token = cg::this_thread_block().barrier_arrive();  // [a]
  (void)token;
  out[threadIdx.x] = 1;
}
__global__ void arrival_with_wait(int* out) {
  const auto block = cg::this_thread_block();
  auto token = block.barrier_arrive();
  out[threadIdx.x] = 1;
  block.barrier_wait(static_cast<decltype(token)&&>(token));
}
// cuda::barrier permits arrivals that no thread waits for.
__global__ void arrival_at_an_object(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  if (threadIdx.x < 32) {
    (void)barrier.arrive();
  } else {
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = 1;
}

// returned: a 2 | all threads of the grid must reach its barrier
__global__ void grid_barrier_without_a_thread(int* out) {
  if (threadIdx.x == 0) return;
  cg::this_grid().sync();  // [a]
  out[threadIdx.x] = 1;
}
// divergent: a b 2 | all threads of the block
__global__ void grid_barrier_in_both_arms(int* out) {
  if (threadIdx.x == 0) {
    cg::this_grid().sync();  // [a]
  } else {
    cg::this_grid().sync();  // [b]
  }
  out[threadIdx.x + 64 * blockIdx.x] = 1;
}
__global__ void grid_barrier(int* out) {
  if (blockIdx.x == 0) {
    cg::this_grid().sync();
  } else {
    cg::this_grid().sync();
  }
  out[threadIdx.x + 64 * blockIdx.x] = 1;
  cg::this_grid().sync();
}

__constant__ int factor = 3;
__constant__ int x[64];  // the letter x is also the mangled name of a type
// write of a constant: a 1 | byte 0 of the variable factor
__global__ void write_of_a_constant(int* out) {
  if (threadIdx.x == 0) *&factor = 5;  // [a]
  out[threadIdx.x] = threadIdx.x;
}
// write of a constant: a 64 | of the variable x
__global__ void write_of_an_element(int* out) {
  x[63 - threadIdx.x] = 5;  // [a]
  out[threadIdx.x] = threadIdx.x;
}
// write of a constant: a 1 | of the variable factor
__global__ void update_of_a_constant(int* out) {
  if (threadIdx.x == 0) out[0] = atomicAdd(&factor, 1);  // [a]
}
__global__ void reads_of_constants(int* out) { out[threadIdx.x] = factor * x[threadIdx.x]; }

__device__ int* kept;
// The first launch stores a pointer to its shared memory, and the second one uses the pointer.
__global__ void keep_shared(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 5) kept = values;
  out[threadIdx.x] = values[threadIdx.x];
}
// outlived pointer: a 64 | of the shared variable values, in shared memory of block (0, 0, 0)
__global__ void use_shared_of_another_launch(int* out) {
  out[threadIdx.x] = kept == nullptr ? 0 : *kept;  // [a]
}
__global__ void keep_global(int* out) {
  if (threadIdx.x == 5) kept = out;
  out[threadIdx.x] = 0;
}
__global__ void use_global(int* out) {
  const int value = *kept;
  if (value != 0) out[threadIdx.x] = value;
}
// outlived pointer: a 63 | valid for that thread alone
__global__ void use_local_of_another_thread(int* out) {
  int local[2] = {static_cast<int>(threadIdx.x), out[0]};
  if (threadIdx.x == 0) kept = local;
  __syncthreads();
  out[threadIdx.x] = kept[out[0] & 1];  // [a]
  __syncthreads();
}
struct two_pointers {
  int* first;
  int* second[8];
};
__device__ two_pointers kept_pair;
// The second launch replaces the pointer with a copy of a structure.
__global__ void keep_pair(int* out, int turn) {
  __shared__ two_pointers pair;
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 8; ++i) pair.second[i] = values + i;
    pair.first = values;
    if (turn == 0) {
      kept_pair.first = values;
    } else {
      kept_pair = pair;
    }
  }
  __syncthreads();
  out[threadIdx.x] = *kept_pair.first;
}
__global__ void use_shared_of_own_block(int* out) {
  __shared__ int values[64];
  __shared__ int* first;
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 5) first = values;
  if (threadIdx.x == 6) kept = values;
  __syncthreads();
  out[threadIdx.x] = first[63 - threadIdx.x] + kept[63 - threadIdx.x];
}

// Each block stores the address of its table in a word of global memory, loads it, and copies it within structures. The
// tables of all blocks and launches have the same address.
struct table {
  int* values;
  int count;
};
struct tables {
  table first, second;
};
__device__ tables kept_tables[2];
__device__ unsigned long long kept_address;
__device__ __noinline__ int last_of(const table& t) { return t.values[t.count - 1]; }
__global__ void tables_of_own_block(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    const table mine{values, 64};
    tables both{mine, mine};
    both.second.count = 32;
    memcpy(&kept_tables[0], &both, sizeof both);
    kept_tables[1] = kept_tables[0];
    atomicExch(&kept_address, reinterpret_cast<unsigned long long>(values));
  }
  __syncthreads();
  const tables copy = kept_tables[1];
  out[threadIdx.x] = last_of(copy.first) + last_of(kept_tables[0].second) + *reinterpret_cast<int*>(kept_address);
}
// A pointer of an earlier launch is loaded, compared and replaced, but not used.
__global__ void replaced_pointer(int* out) {
  const table old = kept_tables[0].first;
  int* values = old.values;
  if (old.count > 0) values = out;
  if (values != nullptr) values[threadIdx.x] = 1;
}

int main() {
  int *out = nullptr, *in = nullptr;
  cudaMallocManaged(&out, 1 << 12);
  cudaMallocManaged(&in, 1 << 12);
  void (*const kernels[])(int*) = {barrier_in_both_arms,
                                   barriers_of_two_loops,
                                   barrier_at_one_place,
                                   early_return,
                                   votes_in_both_arms,
                                   tile_in_both_arms,
                                   helper_in_both_arms,
                                   shuffle_in_both_arms,
                                   shuffles_of_masks,
                                   lanes_in_both_arms,
                                   arrival_without_wait,
                                   arrival_with_wait,
                                   arrival_at_an_object,
                                   write_of_a_constant,
                                   write_of_an_element,
                                   update_of_a_constant,
                                   reads_of_constants,
                                   keep_shared,
                                   use_shared_of_another_launch,
                                   keep_global,
                                   use_global,
                                   use_local_of_another_thread,
                                   use_shared_of_own_block,
                                   two_depths,
                                   tables_of_own_block,
                                   tables_of_own_block,
                                   replaced_pointer};
  for (const auto kernel : kernels) kernel<<<1, 64>>>(out);
  barriers_of_loops<<<1, 64>>>(out, 9);
  helpers_in_loops<<<1, 64>>>(out, 7);
  for (int turn = 0; turn < 2; ++turn) keep_pair<<<1, 64>>>(out, turn);
  void (*const copies[])(int*, const int*) = {copy_without_wait, last_stage_without_wait, copy_with_wait};
  for (const auto kernel : copies) kernel<<<1, 64>>>(out, in);
  void (*const grids[])(int*) = {grid_barrier_without_a_thread, grid_barrier_in_both_arms, grid_barrier};
  for (const auto kernel : grids) {
    void* arguments[] = {&out};
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(2), dim3(64), arguments, 0, nullptr);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
