// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.cuh"
#include "programs.hpp"

namespace bench {

namespace {

constexpr int tile = 32;
constexpr int tile_rows = 8;
constexpr int scan_size = 1024;

__global__ void transpose_kernel(const float* in, float* out, int n) {
  __shared__ float shared[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x;
  int y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += tile_rows) shared[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += tile_rows) out[size_t(y + j) * n + x] = shared[threadIdx.x][threadIdx.y + j];
}

__global__ void scan_kernel(const int32_t* in, int32_t* out) {
  __shared__ int32_t buffer[2][scan_size];
  const int i = threadIdx.x;
  int from = 0;
  buffer[0][i] = in[blockIdx.x * scan_size + i];
  __syncthreads();
  for (int distance = 1; distance < scan_size; distance *= 2) {
    int32_t value = buffer[from][i];
    if (i >= distance) value += buffer[from][i - distance];
    buffer[1 - from][i] = value;
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * scan_size + i] = buffer[from][i];
}

__global__ void write_ids_kernel(int32_t* out, uint32_t slots) {
  out[blockIdx.x % slots * blockDim.x + threadIdx.x] = static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
}

}  // namespace

void transpose(const float* in, float* out, int n) {
  launch("transpose", dim3(n / tile, n / tile), dim3(tile, tile_rows), transpose_kernel, in, out, n);
}
void scan_blocks(const int32_t* in, int32_t* out, int blocks) {
  launch("scan", count(blocks), scan_size, scan_kernel, in, out);
}
void write_ids(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots) {
  launch("write_ids", blocks, threads, write_ids_kernel, out, slots);
}

}  // namespace bench
