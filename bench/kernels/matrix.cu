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

// A tile of 16 x 8 outputs for each warp, by tensor cores. A lies by rows and B by columns, two numbers of f16 in a
// word.
__global__ void tensor_core_kernel(const uint32_t* a, const uint32_t* b, float* c, int n) {
  const int lane = threadIdx.x % 32, words = n / 2;
  const int row = blockIdx.y * 16 + lane / 4, column = (blockIdx.x * tensor_core_warps + threadIdx.x / 32) * 8;
  const uint32_t* of_a = a + row * words + lane % 4;
  const uint32_t* of_b = b + (column + lane / 4) * words + lane % 4;
  float sum[4] = {};
  for (int k = 0; k < words; k += 8) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(of_a[k]), "r"(of_a[k + 8 * words]), "r"(of_a[k + 4]), "r"(of_a[k + 8 * words + 4]), "r"(of_b[k]),
          "r"(of_b[k + 4]));
  }
  float* out = c + row * n + column + lane % 4 * 2;
  for (int i = 0; i < 4; ++i) out[i / 2 * 8 * n + i % 2] = sum[i];
}

}  // namespace

void tensor_core_product(const uint32_t* a, const uint32_t* b, float* c, int n) {
  launch("product by tensor cores", dim3(n / 8 / tensor_core_warps, n / 16), dim3(32 * tensor_core_warps),
         tensor_core_kernel, a, b, c, n);
}

void matrix_product(const float* a, const float* b, float* c, int n) {
  launch("matrix product", dim3(n / tile, n / tile), dim3(tile, tile), matrix_kernel, a, b, c, n);
}

}  // namespace bench
