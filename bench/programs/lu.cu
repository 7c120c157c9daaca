// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factorization by tiles of 16 x 16: one tile of the diagonal, then its row and column, then the rest.
#include "../kernels/launch.cuh"
#include "problems.hpp"

namespace bench::COHORT_BENCH_BUILD::cuda {

namespace {

constexpr int tile = 16;

__global__ void lu_diagonal(float* matrix, int n, int at) {
  __shared__ float s[tile][tile];
  const int t = threadIdx.x;
  float* corner = matrix + at * n + at;
  for (int y = 0; y < tile; ++y) s[y][t] = corner[y * n + t];
  __syncthreads();
  for (int k = 0; k < tile - 1; ++k) {
    if (t > k) {  // computes column k of L
      for (int i = 0; i < k; ++i) s[t][k] -= s[t][i] * s[i][k];
      s[t][k] /= s[k][k];
    }
    __syncthreads();
    if (t > k) {  // computes row k + 1 of U
      for (int i = 0; i <= k; ++i) s[k + 1][t] -= s[k + 1][i] * s[i][t];
    }
    __syncthreads();
  }
  for (int y = 0; y < tile; ++y) corner[y * n + t] = s[y][t];
}

// The first 16 threads solve a tile of the row, the others one of the column.
__global__ void lu_border(float* matrix, int n, int at) {
  __shared__ float diagonal[tile][tile], row[tile][tile], column[tile][tile];
  const int t = threadIdx.x % tile, other = at + (blockIdx.x + 1) * tile;
  const bool of_row = threadIdx.x < tile;
  for (int y = 0; y < tile; ++y) {
    if (of_row) {
      diagonal[y][t] = matrix[(at + y) * n + at + t];
      row[y][t] = matrix[(at + y) * n + other + t];
    } else {
      column[y][t] = matrix[(other + y) * n + at + t];
    }
  }
  __syncthreads();
  if (of_row) {
    for (int y = 1; y < tile; ++y) {
      for (int i = 0; i < y; ++i) row[y][t] -= diagonal[y][i] * row[i][t];
    }
  } else {
    for (int x = 0; x < tile; ++x) {
      for (int i = 0; i < x; ++i) column[t][x] -= column[t][i] * diagonal[i][x];
      column[t][x] /= diagonal[x][x];
    }
  }
  __syncthreads();
  for (int y = 0; y < tile; ++y) {
    if (of_row) {
      matrix[(at + y) * n + other + t] = row[y][t];
    } else {
      matrix[(other + y) * n + at + t] = column[y][t];
    }
  }
}

__global__ void lu_rest(float* matrix, int n, int at) {
  __shared__ float row[tile][tile], column[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = at + (blockIdx.x + 1) * tile + tx, y = at + (blockIdx.y + 1) * tile + ty;
  row[ty][tx] = matrix[(at + ty) * n + x];
  column[ty][tx] = matrix[y * n + at + tx];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < tile; ++i) sum += column[ty][i] * row[i][tx];
  matrix[y * n + x] -= sum;
}

}  // namespace

void lu(const problems::lu& p) {
  for (int at = 0; at < p.n; at += tile) {
    lu_diagonal<<<1, tile>>>(p.matrix, p.n, at);
    const unsigned left = (p.n - at) / tile - 1;
    if (left == 0) break;
    lu_border<<<left, 2 * tile>>>(p.matrix, p.n, at);
    lu_rest<<<dim3(left, left), dim3(tile, tile)>>>(p.matrix, p.n, at);
  }
  finish("lu");
}

}  // namespace bench::COHORT_BENCH_BUILD::cuda
