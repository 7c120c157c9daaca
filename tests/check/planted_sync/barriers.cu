// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers that threads reach at several places, or that some threads skip. `@case.x` marks the lines of a finding.
#include <cooperative_groups.h>

#include "cases.hpp"

namespace cg = cooperative_groups;

// A bounds check with a barrier in each arm. Only the block at the edge takes both.
template <bool wrong>
__global__ void mirror(const float* in, float* out, int width, int height) {
  __shared__ float tile[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) {
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    if constexpr (wrong) __syncthreads();  // @mirror.a
  } else {
    tile[threadIdx.y][threadIdx.x] = 0;
    if constexpr (wrong) __syncthreads();  // @mirror.b
  }
  if constexpr (!wrong) __syncthreads();
  if (x < width && y < height) out[y * width + x] = tile[threadIdx.y][15 - threadIdx.x];
}
template <bool wrong>
void run_mirror() {
  mirror<wrong><<<dim3(2, 2), dim3(16, 8)>>>(device_numbers<float>(20 * 13), device_array<float>(20 * 13), 20, 13);
}

// A reduction with barriers, called in both arms of a condition on the thread's own value.
__device__ float block_sum(float* part, float mine) {
  const int t = threadIdx.x;
  part[t] = mine;
  for (int distance = blockDim.x / 2; distance > 0; distance /= 2) {
    __syncthreads();  // @sum.loop
    if (t < distance) part[t] += part[t + distance];
  }
  __syncthreads();  // @sum.last
  return part[0];
}
template <bool wrong>
__global__ void normalise(float* x) {
  __shared__ float part[64];
  const float mine = x[threadIdx.x] - 40;
  float sum;
  if constexpr (wrong) {
    if (mine < 0) {
      sum = block_sum(part, -mine);  // @sum.call_a
    } else {
      sum = block_sum(part, mine);  // @sum.call_b
    }
  } else {
    sum = block_sum(part, mine < 0 ? -mine : mine);
  }
  x[threadIdx.x] = mine / sum;
}
template <bool wrong>
void run_sum() {
  normalise<wrong><<<1, 64>>>(device_numbers<float>(64));
}

// A barrier in a function that is never inlined, called by a second such function.
__device__ __noinline__ void publish(int* slot, int value) {
  *slot = value;
  cg::this_thread_block().sync();  // @publish.sync
}
__device__ __noinline__ void publish_scaled(int* slot, int value, int scale) { publish(slot, value * scale); }
template <bool wrong>
__global__ void rotate(const int* in, int* out) {
  __shared__ int ring[96];
  const int t = threadIdx.x;
  if constexpr (wrong) {
    if (in[t] % 3 == 0) {
      publish_scaled(&ring[t], in[t], 2);  // @publish.third
    } else {
      publish_scaled(&ring[t], in[t], 5);  // @publish.other
    }
  } else {
    publish_scaled(&ring[t], in[t], in[t] % 3 == 0 ? 2 : 5);
  }
  out[t] = ring[(t + 1) % 96];
}
template <bool wrong>
void run_publish() {
  rotate<wrong><<<1, 96>>>(device_numbers<int>(96), device_array<int>(96));
}

// A lambda that ends a step. The last warp, which has less work, calls it at a place of its own.
template <bool wrong>
__global__ void two_steps(int* x) {
  __shared__ int first[128], second[128];
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  auto end_step = [&](int* to, int value) {
    to[t] = value;
    block.sync();  // @lambda.sync
  };
  if constexpr (wrong) {
    if (t < 96) {
      end_step(first, x[t]);  // @lambda.work
      end_step(second, first[127 - t] + 1);
    } else {
      end_step(first, 0);  // @lambda.idle
      end_step(second, 0);
    }
  } else {
    end_step(first, t < 96 ? x[t] : 0);
    end_step(second, t < 96 ? first[127 - t] + 1 : 0);
  }
  x[t] = second[(t + 64) % 128];
}
template <bool wrong>
void run_lambda() {
  two_steps<wrong><<<1, 128>>>(device_numbers<int>(128));
}

// Threads with fewer rounds make up for their barriers after the loop.
template <bool wrong>
__global__ void rounds(const int* mine, int most, int* out) {
  __shared__ int part[2][64];
  const int t = threadIdx.x;
  part[0][t] = t;
  part[1][t] = 0;
  __syncthreads();
  if constexpr (wrong) {
    int r = 0;
    for (; r < mine[t]; ++r) {
      part[(r + 1) % 2][t] = part[r % 2][(t + 1) % 64] + 1;
      __syncthreads();  // @rounds.work
    }
    for (; r < most; ++r) __syncthreads();  // @rounds.idle
  } else {
    for (int r = 0; r < most; ++r) {
      if (r < mine[t]) part[(r + 1) % 2][t] = part[r % 2][(t + 1) % 64] + 1;
      __syncthreads();
    }
  }
  out[t] = part[mine[t] % 2][t];
}
template <bool wrong>
void run_rounds() {
  int* mine = device_numbers<int>(64);
  int host[64];
  for (int t = 0; t < 64; ++t) host[t] = t < 20 ? 2 : 5;
  cudaMemcpy(mine, host, sizeof host, cudaMemcpyHostToDevice);
  rounds<wrong><<<1, 64>>>(mine, 5, device_array<int>(64));
}

// Each warp of a tile of 64 threads synchronises the tile in a different branch.
template <bool wrong>
__global__ void tiles_of_64(int* x) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int part[128];
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  const int base = tile.meta_group_rank() * 64, r = tile.thread_rank();
  part[base + r] = x[base + r];
  if constexpr (wrong) {
    if (r < 32 || tile.meta_group_rank() == 0) {
      tile.sync();  // @tile.a
      x[base + r] += part[base + 63 - r];
    } else {
      tile.sync();  // @tile.b
      x[base + r] -= part[base + 63 - r];
    }
  } else {
    tile.sync();
    x[base + r] += r < 32 ? part[base + 63 - r] : -part[base + 63 - r];
  }
}
template <bool wrong>
void run_tile() {
  tiles_of_64<wrong><<<1, 128>>>(device_numbers<int>(128));
}

// A recursive tree that some threads leave early: they wait at the barrier after it, and return.
template <int half, bool wrong>
__device__ void fold(int* part) {
  const int t = threadIdx.x;
  if constexpr (wrong) {
    if (t >= half) return;
  }
  if (t < half) part[t] += part[t + half];
  __syncthreads();  // @fold.step
  if constexpr (half > 1) fold<half / 2, wrong>(part);
}
template <bool wrong>
__global__ void tree(const int* x, int* out) {
  __shared__ int part[64];
  part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  fold<32, wrong>(part);
  __syncthreads();  // @fold.end
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
template <bool wrong>
void run_fold() {
  tree<wrong><<<3, 64>>>(device_numbers<int>(192), device_array<int>(3));
}

// An iteration that each thread leaves when its own element has converged.
template <bool wrong>
__global__ void converge(float* x) {
  __shared__ float level[64];
  const int t = threadIdx.x;
  float mine = x[t];
  while (true) {
    level[t] = mine;
    if constexpr (wrong) {
      if (mine < 4) {
        __syncthreads();  // @converge.done
        break;
      }
      __syncthreads();  // @converge.more
    } else {
      if (__syncthreads_and(mine < 4)) break;
    }
    mine = (mine + level[(t + 1) % 64]) / 4;
    __syncthreads();
  }
  x[t] = mine;
}
template <bool wrong>
void run_converge() {
  converge<wrong><<<1, 64>>>(device_numbers<float>(64));
}

// Warps with roles, each with barriers of its own.
template <bool wrong>
__global__ void roles(const int* in, int* out, int steps) {
  __shared__ int stage[32];
  const int warp = threadIdx.y, lane = threadIdx.x;
  int sum = 0;
  if constexpr (wrong) {
    if (warp == 0) {
      for (int s = 0; s < steps; ++s) {
        stage[lane] = in[s * 32 + lane];
        __syncthreads();  // @roles.full_a
        __syncthreads();  // @roles.empty_a
      }
    } else {
      for (int s = 0; s < steps; ++s) {
        __syncthreads();  // @roles.full_b
        sum += stage[31 - lane] * warp;
        __syncthreads();  // @roles.empty_b
      }
    }
  } else {
    for (int s = 0; s < steps; ++s) {
      if (warp == 0) stage[lane] = in[s * 32 + lane];
      __syncthreads();
      if (warp != 0) sum += stage[31 - lane] * warp;
      __syncthreads();
    }
  }
  out[warp * 32 + lane] = sum;
}
template <bool wrong>
void run_roles() {
  roles<wrong><<<1, dim3(32, 3)>>>(device_numbers<int>(128), device_array<int>(96), 4);
}

// Counting barriers in both arms of a conditional expression, on one line.
template <bool wrong>
__global__ void counts(const int* x, int* out) {
  const int t = threadIdx.x, v = x[t];
  if constexpr (wrong) {
    out[blockIdx.x * 50 + t] = t < 10 ? __syncthreads_count(v > 20) : __syncthreads_count(v > 30);  // @counts.line
  } else {
    out[blockIdx.x * 50 + t] = __syncthreads_count(t < 10 ? v > 20 : v > 30);
  }
}
template <bool wrong>
void run_counts() {
  counts<wrong><<<2, 50>>>(device_numbers<int>(50), device_array<int>(100));
}

// An object that owns a group, constructed in each of two branches.
struct accumulator {
  cg::thread_block block;
  int* part;
  __device__ int flush(int value) {
    part[block.thread_rank()] = value;
    block.sync();  // @object.sync
    return part[block.num_threads() - 1 - block.thread_rank()];
  }
};
template <bool wrong>
__global__ void objects(int* x) {
  __shared__ int part[48];
  const int t = threadIdx.x;
  accumulator low{cg::this_thread_block(), part}, high = low;
  if constexpr (wrong) {
    x[t] = x[t] & 1 ? low.flush(x[t]) : high.flush(-x[t]);
  } else {
    x[t] = low.flush(x[t] & 1 ? x[t] : -x[t]);
  }
}
template <bool wrong>
void run_object() {
  objects<wrong><<<1, 48>>>(device_numbers<int>(48));
}

// A barrier of the grid after an early return of some threads.
template <bool wrong>
__global__ void smooth(int* x, int n) {
  const auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  if constexpr (wrong) {
    if (i >= n) return;
  }
  const int left = i < n && i > 0 ? x[i - 1] : 0;
  grid.sync();  // @exit.sync
  if (i < n) x[i] += left;
}
template <bool wrong>
void run_exit() {
  int* x = device_numbers<int>(150);
  int n = 150;
  void* arguments[] = {&x, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(smooth<wrong>), dim3(3), dim3(64), arguments, 0, nullptr);
}

// The first thread of a block resets a counter, and waits for the grid at a place of its own.
template <bool wrong>
__global__ void reset(int* counters, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const bool first = threadIdx.x + threadIdx.y == 0;
  if (first) counters[blockIdx.x] = 100;
  if constexpr (wrong) {
    if (first) {
      grid.sync();  // @grid.first
    } else {
      grid.sync();  // @grid.others
    }
  } else {
    grid.sync();
  }
  atomicAdd(&out[grid.thread_rank()], counters[(blockIdx.x + 1) % gridDim.x]);
}
template <bool wrong>
void run_grid() {
  int *counters = device_array<int>(4), *out = device_array<int>(128);
  void* arguments[] = {&counters, &out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(reset<wrong>), dim3(4), dim3(8, 4), arguments, 0, nullptr);
}

// A barrier of a cluster in both arms of a loop's condition.
template <bool wrong>
__global__ void __cluster_dims__(2, 1, 1) exchange(int* x) {
  __shared__ int mine[32];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
  for (int i = 0; i < 2; ++i) {
    if constexpr (wrong) {
      if (threadIdx.x % 4 == i) {
        cluster.sync();  // @cluster.a
        continue;
      }
      cluster.sync();  // @cluster.b
    } else {
      cluster.sync();
    }
  }
  const int* other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
  const int value = other[threadIdx.x];
  cluster.sync();
  x[blockIdx.x * 32 + threadIdx.x] = value;
}
template <bool wrong>
void run_cluster() {
  exchange<wrong><<<4, 32>>>(device_numbers<int>(128));
}

#define CASE(name) {#name, run_##name<true>, run_##name<false>}
const planted_case cases[] = {CASE(mirror), CASE(sum),  CASE(publish),  CASE(lambda), CASE(rounds),
                              CASE(tile),   CASE(fold), CASE(converge), CASE(roles),  CASE(counts),
                              CASE(object), CASE(exit), CASE(grid),     CASE(cluster)};
int main(int words, char** word) { return run_case(cases, words, word); }
