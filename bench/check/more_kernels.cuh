// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ten more kernels for the cost of --check: the checker was not tuned with them. None of them has a race.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "kernels.cuh"

namespace check_bench {

// Blocks of 32 x 4 x 2 threads.
__global__ void stencil_of_volume(float* out, const float* in, int width, bool never) {
  COHORT_BENCH_ON_FIBERS(never);
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  if (x == 0 || y == 0 || z == 0 || x == width - 1 || y == width - 1 || z == width - 1) return;
  const int i = (z * width + y) * width + x, plane = width * width;
  float sum = in[i - 1] + in[i + 1];
  sum += in[i - width] + in[i + width];
  sum += in[i - plane] + in[i + plane];
  out[i] = 0.4f * in[i] + 0.1f * sum;
}

// Blocks of 16 x 16 threads, each of which loads its word of a tile and up to two of the border.
__global__ void smooth_in_tiles(float* out, const float* in, int width) {
  __shared__ float tile[18][18];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * 16, row = static_cast<int>(blockIdx.y) * 16;
  for (int k = y * 16 + x; k < 18 * 18; k += 256) {
    const int from_row = min(max(row + k / 18 - 1, 0), width - 1);
    const int from_column = min(max(column + k % 18 - 1, 0), width - 1);
    tile[k / 18][k % 18] = in[from_row * width + from_column];
  }
  __syncthreads();
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += tile[y + dy][x + dx];
  }
  out[(row + y) * width + column + x] = sum / 9;
}

// Blocks of 256 threads. Each thread sums its part in a grid-stride loop, then the block adds the sums in a tree.
__global__ void sum_of_grid(unsigned* out, const unsigned* in, int count) {
  __shared__ unsigned part[256];
  const int t = static_cast<int>(threadIdx.x), step = static_cast<int>(gridDim.x * blockDim.x);
  unsigned sum = 0;
  for (int i = thread_rank(); i < count; i += step) sum += in[i];
  part[t] = sum;
  __syncthreads();
  for (int distance = 128; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

// Softmax of the rows of a matrix, a warp for each row.
__global__ void softmax_of_rows(float* out, const float* in, int columns) {
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = thread_rank() / 32;
  const float* const from = in + row * columns;
  float highest = -1e30f, sum = 0;
  for (auto i = static_cast<int>(warp.thread_rank()); i < columns; i += 32) highest = fmaxf(highest, from[i]);
  highest = cg::reduce(warp, highest, cg::greater<float>());
  for (auto i = static_cast<int>(warp.thread_rank()); i < columns; i += 32) sum += expf(from[i] - highest);
  sum = cg::reduce(warp, sum, cg::plus<float>());
  for (auto i = static_cast<int>(warp.thread_rank()); i < columns; i += 32) {
    out[row * columns + i] = expf(from[i] - highest) / sum;
  }
}

// Blocks of 16 x 16 threads, and a matrix width that is no multiple of 16.
__global__ void product_with_edges(float* c, const float* a, const float* b, int width) {
  __shared__ float part_of_a[16][16], part_of_b[16][16];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * 16 + y, column = static_cast<int>(blockIdx.x) * 16 + x;
  float sum = 0;
  for (int first = 0; first < width; first += 16) {
    part_of_a[y][x] = row < width && first + x < width ? a[row * width + first + x] : 0;
    part_of_b[y][x] = column < width && first + y < width ? b[(first + y) * width + column] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += part_of_a[y][k] * part_of_b[k][x];
    __syncthreads();
  }
  if (row < width && column < width) c[row * width + column] = sum;
}

// Blocks of 16 x 16 threads, each of which makes 2 x 2 results.
__global__ void product_of_four(float* c, const float* a, const float* b, int width) {
  __shared__ float part_of_a[32][17], part_of_b[16][33];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * 32, column = static_cast<int>(blockIdx.x) * 32;
  float sum[2][2] = {};
  for (int first = 0; first < width; first += 16) {
    for (int half = 0; half < 32; half += 16) {
      part_of_a[y + half][x] = a[(row + y + half) * width + first + x];
      part_of_b[y][x + half] = b[(first + y) * width + column + x + half];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float a0 = part_of_a[y][k], a1 = part_of_a[y + 16][k], b0 = part_of_b[k][x], b1 = part_of_b[k][x + 16];
      sum[0][0] += a0 * b0;
      sum[0][1] += a0 * b1;
      sum[1][0] += a1 * b0;
      sum[1][1] += a1 * b1;
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) c[(row + y + 16 * i) * width + column + x + 16 * j] = sum[i][j];
  }
}

__global__ void histogram_in_memory(unsigned* bins, const unsigned* in, unsigned count, unsigned bin_count) {
  const unsigned step = gridDim.x * blockDim.x;
  for (auto i = static_cast<unsigned>(thread_rank()); i < count; i += step) atomicAdd(&bins[in[i] % bin_count], 1u);
}

// One step of a breadth-first search: the vertices of the frontier give their neighbors a depth.
__global__ void breadth_first(int* depths, const int* frontier, const int* first, const int* neighbors, int vertices,
                              int depth, int* found) {
  const int v = thread_rank();
  if (v >= vertices || frontier[v] == 0) return;
  for (int k = first[v]; k < first[v + 1]; ++k) {
    const int to = neighbors[k];
    if (atomicCAS(&depths[to], -1, depth) == -1) atomicAdd(found, 1);
  }
}

// One step of PageRank: each vertex sums its share of the ranks of its neighbors.
__global__ void rank_vertices(float* out, const float* ranks, const int* first, const int* neighbors, int vertices,
                              bool never) {
  COHORT_BENCH_ON_FIBERS(never);
  const int v = thread_rank();
  if (v >= vertices) return;
  float sum = 0;
  for (int k = first[v]; k < first[v + 1]; ++k) {
    const int from = neighbors[k];
    sum += ranks[from] / static_cast<float>(first[from + 1] - first[from]);
  }
  out[v] = 0.15f + 0.85f * sum;
}

// Blocks of 256 threads: an inclusive scan between two rows of shared memory.
__global__ void scan_of_blocks(unsigned* out, const unsigned* in) {
  __shared__ unsigned rows[2][256];
  const int t = static_cast<int>(threadIdx.x);
  int now = 0;
  rows[0][t] = in[thread_rank()];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    rows[1 - now][t] = rows[now][t] + (t >= distance ? rows[now][t - distance] : 0);
    now = 1 - now;
    __syncthreads();
  }
  out[thread_rank()] = rows[now][t];
}

}  // namespace check_bench
