// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separable convolution with the filter in constant memory, tiles with halos in shared memory, and every access to a
// symbol: copies with offsets, its address, its size, a kernel that writes a __device__ variable.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)

__constant__ float c_Kernel[KERNEL_LENGTH];
__constant__ int2 c_extra = {3, 4};
__device__ int d_counter = 5;
__device__ float d_table[4][3];

#define ROWS_BLOCKDIM_X 16
#define ROWS_BLOCKDIM_Y 4
#define ROWS_RESULT_STEPS 4
#define ROWS_HALO_STEPS 1

__global__ void convolutionRowsKernel(float* d_Dst, const float* d_Src, int imageW, int imageH, int pitch) {
  __shared__ float s_Data[ROWS_BLOCKDIM_Y][(ROWS_RESULT_STEPS + 2 * ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X];
  const int baseX = (blockIdx.x * ROWS_RESULT_STEPS - ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X + threadIdx.x;
  const int baseY = blockIdx.y * ROWS_BLOCKDIM_Y + threadIdx.y;
  d_Src += baseY * pitch + baseX;
  d_Dst += baseY * pitch + baseX;
#pragma unroll
  for (int i = 0; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS + ROWS_HALO_STEPS; i++) {
    const int x = baseX + i * ROWS_BLOCKDIM_X;
    s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] = x >= 0 && x < imageW ? d_Src[i * ROWS_BLOCKDIM_X] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
      sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X + j];
    d_Dst[i * ROWS_BLOCKDIM_X] = sum;
  }
}

// Convolves columns with reads of global memory through the read-only path.
__global__ void convolutionColumnsKernel(float* d_Dst, const float* __restrict__ d_Src, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
    const int d = y + k;
    if (d >= 0 && d < h) sum += __ldg(&d_Src[d * w + x]) * c_Kernel[KERNEL_RADIUS - k];
  }
  d_Dst[y * w + x] = sum;
}

__global__ void touchSymbols() {
  if (blockIdx.x == 0 && threadIdx.x < 12) d_table[threadIdx.x / 3][threadIdx.x % 3] = threadIdx.x + 0.5f * c_extra.x;
  atomicAdd(&d_counter, c_extra.y);
}

int main() {
  const int w = 128, h = 48;
  float h_Kernel[KERNEL_LENGTH];
  for (int i = 0; i < KERNEL_LENGTH; i++) h_Kernel[i] = static_cast<float>(i % 5 - 2);
  std::vector<float> in(w * h), rows(w * h), out(w * h), expected_rows(w * h), expected(w * h);
  for (int i = 0; i < w * h; ++i) in[i] = static_cast<float>(i * 7 % 11);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; ++k) {
        if (x + k >= 0 && x + k < w) expected_rows[y * w + x] += in[y * w + x + k] * h_Kernel[KERNEL_RADIUS - k];
      }
    }
  }
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; ++k) {
        if (y + k >= 0 && y + k < h)
          expected[y * w + x] += expected_rows[(y + k) * w + x] * h_Kernel[KERNEL_RADIUS - k];
      }
    }
  }
  // Copies the filter in two parts, the second with an offset.
  cudaMemcpyToSymbol(c_Kernel, h_Kernel, 5 * sizeof(float));
  cudaMemcpyToSymbol(c_Kernel, h_Kernel + 5, (KERNEL_LENGTH - 5) * sizeof(float), 5 * sizeof(float));

  float *d_in, *d_rows, *d_out;
  cudaMalloc(&d_in, w * h * sizeof(float));
  cudaMalloc(&d_rows, w * h * sizeof(float));
  cudaMalloc(&d_out, w * h * sizeof(float));
  cudaMemcpy(d_in, in.data(), w * h * sizeof(float), cudaMemcpyHostToDevice);
  dim3 blocks(w / (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X), h / ROWS_BLOCKDIM_Y),
      threads(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y);
  convolutionRowsKernel<<<blocks, threads>>>(d_rows, d_in, w, h, w);
  convolutionColumnsKernel<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(d_out, d_rows, w, h);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(rows.data(), d_rows, w * h * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(out.data(), d_out, w * h * sizeof(float), cudaMemcpyDeviceToHost);
  bool ok = rows == expected_rows && out == expected;
  std::printf("convolution: %s\n", ok ? "ok" : "WRONG");

  int2 extra = {7, 11};
  ok = ok && cudaMemcpyFromSymbol(&extra, c_extra, sizeof(extra)) == cudaSuccess && extra.x == 3 && extra.y == 4;
  extra.y = 6;
  ok = ok && cudaMemcpyToSymbolAsync(c_extra, &extra, sizeof(extra), 0, cudaMemcpyHostToDevice, 0) == cudaSuccess;
  touchSymbols<<<2, 16>>>();
  int counter = 0;
  float table[4][3];
  ok = ok && cudaMemcpyFromSymbol(&counter, d_counter, sizeof(int)) == cudaSuccess && counter == 5 + 32 * 6;
  ok = ok && cudaMemcpyFromSymbol(table, d_table, sizeof(table), 0, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < 12; ++i) ok = ok && table[i / 3][i % 3] == i + 1.5f;
  void* address = nullptr;
  size_t size = 0;
  ok = ok && cudaGetSymbolAddress(&address, d_counter) == cudaSuccess &&
       cudaGetSymbolSize(&size, d_table) == cudaSuccess && size == sizeof(table);
  const int seven = 7;
  ok = ok && cudaMemcpy(address, &seven, sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess;
  touchSymbols<<<1, 1>>>();
  ok = ok && cudaMemcpyFromSymbol(&counter, d_counter, sizeof(int)) == cudaSuccess && counter == 13;
  cudaFree(d_in), cudaFree(d_rows), cudaFree(d_out);
  std::printf("symbols: %s\n", ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
