// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.cuh"
#include "programs.hpp"

namespace bench {

namespace {

constexpr int tile = 32;
constexpr int tensor_core_warps = 4;  // of a block

// One output for each thread.
__global__ void matrix_kernel(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[tile][tile];
  __shared__ float of_b[tile][tile];
  const int x = blockIdx.x * tile + threadIdx.x;
  const int y = blockIdx.y * tile + threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < n; k += tile) {
    of_a[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += of_a[threadIdx.y][i] * of_b[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// d += a * b, of f16
__device__ void multiply(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A tile of 16 x 8 outputs for each warp, by tensor cores. A lies by rows and B by columns, two numbers of f16 in a
// word.
__global__ void tensor_core_kernel(const uint32_t* a, const uint32_t* b, float* c, int n) {
  const int lane = threadIdx.x % 32, words = n / 2;
  const int row = blockIdx.y * 16 + lane / 4, column = (blockIdx.x * tensor_core_warps + threadIdx.x / 32) * 8;
  const uint32_t* of_a = a + row * words + lane % 4;
  const uint32_t* of_b = b + (column + lane / 4) * words + lane % 4;
  float sum[4] = {};
  for (int k = 0; k < words; k += 8) {
    const uint32_t rows[4] = {of_a[k], of_a[k + 8 * words], of_a[k + 4], of_a[k + 8 * words + 4]};
    multiply(sum, rows, of_b[k], of_b[k + 4]);
  }
  float* out = c + row * n + column + lane % 4 * 2;
  for (int i = 0; i < 4; ++i) out[i / 2 * 8 * n + i % 2] = sum[i];
}

// The tile of a block of four warps: each warp has 64 x 32 outputs, in registers.
constexpr int block_rows = 128, block_columns = 64, block_k = 32;
constexpr int row_halves = block_k + 8;  // the rows of eight lanes lie in different banks

__device__ void load_tile(uint16_t (*to)[row_halves], const uint32_t* from, int rows, int words, int thread) {
  constexpr int units = block_k / 8;  // of eight numbers
  for (int i = thread; i < rows * units; i += 32 * tensor_core_warps) {
    *reinterpret_cast<uint4*>(&to[i / units][i % units * 8]) =
        *reinterpret_cast<const uint4*>(from + i / units * words + i % units * 4);
  }
}

__device__ void load_matrices(uint32_t (&d)[4], const uint16_t* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(row))));
}

__global__ void tiled_tensor_core_kernel(const uint32_t* a, const uint32_t* b, float* c, int n) {
  __shared__ alignas(16) uint16_t of_a[block_rows][row_halves], of_b[block_columns][row_halves];
  const int thread = threadIdx.x, lane = thread % 32, words = n / 2;
  const int row = thread / 64 * 64, column = thread / 32 % 2 * 32;  // of the warp
  float sums[4][4][4] = {};
  for (int k = 0; k < words; k += block_k / 2) {
    load_tile(of_a, a + blockIdx.y * block_rows * words + k, block_rows, words, thread);
    load_tile(of_b, b + blockIdx.x * block_columns * words + k, block_columns, words, thread);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < block_k; i += 16) {
      uint32_t rows[4][4], columns[2][4];
#pragma unroll
      for (int y = 0; y < 4; ++y) load_matrices(rows[y], &of_a[row + 16 * y + lane % 16][i + lane / 16 * 8]);
#pragma unroll
      for (int x = 0; x < 2; ++x) {
        load_matrices(columns[x], &of_b[column + 16 * x + lane % 8 + lane / 16 * 8][i + lane / 8 % 2 * 8]);
      }
#pragma unroll
      for (int y = 0; y < 4; ++y) {
#pragma unroll
        for (int x = 0; x < 4; ++x)
          multiply(sums[y][x], rows[y], columns[x / 2][x % 2 * 2], columns[x / 2][x % 2 * 2 + 1]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y) {
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      float* out = c + (blockIdx.y * block_rows + row + 16 * y + lane / 4) * n + blockIdx.x * block_columns + column +
                   8 * x + lane % 4 * 2;
#pragma unroll
      for (int i = 0; i < 4; ++i) out[i / 2 * 8 * n + i % 2] = sums[y][x][i];
    }
  }
}

}  // namespace

void tiled_tensor_core_product(const uint32_t* a, const uint32_t* b, float* c, int n) {
  launch("tiled product by tensor cores", dim3(n / block_columns, n / block_rows), dim3(32 * tensor_core_warps),
         tiled_tensor_core_kernel, a, b, c, n);
}

void tensor_core_product(const uint32_t* a, const uint32_t* b, float* c, int n) {
  launch("product by tensor cores", dim3(n / 8 / tensor_core_warps, n / 16), dim3(32 * tensor_core_warps),
         tensor_core_kernel, a, b, c, n);
}

void matrix_product(const float* a, const float* b, float* c, int n) {
  launch("matrix product", dim3(n / tile, n / tile), dim3(tile, tile), matrix_kernel, a, b, c, n);
}

}  // namespace bench
