// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix transposition: 32 x 8 threads for 32 x 32 elements, padded shared memory, pitched copies, kernels in a table
// of function pointers, default arguments.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void copy(float* odata, const float* idata, int width, int height) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeNaive(float* odata, const float* idata, int width, int height) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

__global__ void transposeNoBankConflicts(float* odata, const float* idata, int width, int height) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  cg::sync(cta);
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Blocks walk the matrix along diagonals.
__global__ void transposeDiagonal(float* odata, const float* idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int blockIdx_x, blockIdx_y;
  if (width == height) {
    blockIdx_y = blockIdx.x;
    blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    int bid = blockIdx.x + gridDim.x * blockIdx.y;
    blockIdx_y = bid % gridDim.y;
    blockIdx_x = ((bid / gridDim.y) + blockIdx_y) % gridDim.x;
  }
  int x = blockIdx_x * TILE_DIM + threadIdx.x, y = blockIdx_y * TILE_DIM + threadIdx.y;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * width];
  __syncthreads();
  x = blockIdx_y * TILE_DIM + threadIdx.x, y = blockIdx_x * TILE_DIM + threadIdx.y;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) odata[x + (y + i) * height] = tile[threadIdx.x][threadIdx.y + i];
}

int main() {
  const int size_x = 160, size_y = 96, n = size_x * size_y;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i);
  float *d_in, *d_out;
  if (cudaMalloc(&d_in, n * sizeof(float)) != cudaSuccess || cudaMalloc(&d_out, n * sizeof(float)) != cudaSuccess)
    return 1;
  cudaMemcpy2D(d_in, size_x * sizeof(float), in.data(), size_x * sizeof(float), size_x * sizeof(float), size_y,
               cudaMemcpyHostToDevice);

  void (*kernel)(float*, const float*, int, int);
  bool success = true;
  for (int k = 0; k < 4; k++) {
    const char* kernelName = "";
    switch (k) {
      case 0:
        kernel = &copy;
        kernelName = "simple copy";
        break;
      case 1:
        kernel = &transposeNaive;
        kernelName = "naive";
        break;
      case 2:
        kernel = &transposeNoBankConflicts;
        kernelName = "optimized";
        break;
      default:
        kernel = &transposeDiagonal;
        kernelName = "diagonal";
        break;
    }
    dim3 grid(size_x / TILE_DIM, size_y / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS);
    cudaMemset(d_out, 0, n * sizeof(float));
    kernel<<<grid, threads>>>(d_out, d_in, size_x, size_y);
    if (cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    bool right = true;
    for (int y = 0; y < size_y; ++y) {
      for (int x = 0; x < size_x; ++x)
        right = right && out[k == 0 ? y * size_x + x : x * size_y + y] == in[y * size_x + x];
    }
    printf("transpose %-16s %s\n", kernelName, right ? "ok" : "WRONG");
    success = success && right;
  }
  cudaFree(d_in);
  cudaFree(d_out);
  printf(success ? "Test passed\n" : "Test failed!\n");
  return success ? 0 : 1;
}
