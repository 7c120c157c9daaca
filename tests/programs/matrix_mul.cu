// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product with square tiles in shared memory: 2D blocks, a template parameter for the tile, pinned host
// memory, a stream, events, sizes that do not fill the last tiles.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
template <typename T>
void check(T result, char const* const func, const char* const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<unsigned int>(result),
            cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}

template <int BLOCK_SIZE>
__global__ void MatrixMulCUDA(float* C, const float* A, const float* B, int hA, int wA, int wB) {
  __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BLOCK_SIZE + ty, col = blockIdx.x * BLOCK_SIZE + tx;

  float Csub = 0;
  for (int t = 0; t < (wA + BLOCK_SIZE - 1) / BLOCK_SIZE; ++t) {
    const int ka = t * BLOCK_SIZE + tx, kb = t * BLOCK_SIZE + ty;
    As[ty][tx] = (row < hA && ka < wA) ? A[row * wA + ka] : 0.0f;
    Bs[ty][tx] = (kb < wA && col < wB) ? B[kb * wB + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      Csub += As[ty][k] * Bs[k][tx];
    }
    __syncthreads();
  }
  if (row < hA && col < wB) C[row * wB + col] = Csub;
}

static bool run(int block_size, int hA, int wA, int wB) {
  const size_t sizeA = sizeof(float) * hA * wA, sizeB = sizeof(float) * wA * wB, sizeC = sizeof(float) * hA * wB;
  float *h_A, *h_B, *h_C;
  checkCudaErrors(cudaMallocHost(&h_A, sizeA));
  checkCudaErrors(cudaMallocHost(&h_B, sizeB));
  checkCudaErrors(cudaMallocHost(&h_C, sizeC));
  // Small integers: every order of additions is exact.
  for (int i = 0; i < hA * wA; ++i) h_A[i] = static_cast<float>(i * 7 % 13 - 6);
  for (int i = 0; i < wA * wB; ++i) h_B[i] = static_cast<float>(i * 5 % 17 - 8);

  float *d_A, *d_B, *d_C;
  checkCudaErrors(cudaMalloc(reinterpret_cast<void**>(&d_A), sizeA));
  checkCudaErrors(cudaMalloc(reinterpret_cast<void**>(&d_B), sizeB));
  checkCudaErrors(cudaMalloc(reinterpret_cast<void**>(&d_C), sizeC));

  cudaStream_t stream;
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  checkCudaErrors(cudaMemcpyAsync(d_A, h_A, sizeA, cudaMemcpyHostToDevice, stream));
  checkCudaErrors(cudaMemcpyAsync(d_B, h_B, sizeB, cudaMemcpyHostToDevice, stream));

  dim3 threads(block_size, block_size);
  dim3 grid((wB + threads.x - 1) / threads.x, (hA + threads.y - 1) / threads.y);
  checkCudaErrors(cudaEventRecord(start, stream));
  for (int j = 0; j < 2; j++) {
    if (block_size == 16) {
      MatrixMulCUDA<16><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, hA, wA, wB);
    } else {
      MatrixMulCUDA<32><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, hA, wA, wB);
    }
  }
  checkCudaErrors(cudaEventRecord(stop, stream));
  checkCudaErrors(cudaEventSynchronize(stop));
  float msecTotal = 0.0f;
  checkCudaErrors(cudaEventElapsedTime(&msecTotal, start, stop));
  checkCudaErrors(cudaMemcpyAsync(h_C, d_C, sizeC, cudaMemcpyDeviceToHost, stream));
  checkCudaErrors(cudaStreamSynchronize(stream));

  bool correct = msecTotal >= 0.0f;
  for (int r = 0; r < hA && correct; r++) {
    for (int c = 0; c < wB && correct; c++) {
      long sum = 0;
      for (int k = 0; k < wA; ++k) sum += static_cast<long>((r * wA + k) * 7 % 13 - 6) * ((k * wB + c) * 5 % 17 - 8);
      if (h_C[r * wB + c] != static_cast<float>(sum)) {
        printf("Error! Matrix[%d,%d]=%.1f, ref=%ld\n", r, c, h_C[r * wB + c], sum);
        correct = false;
      }
    }
  }
  checkCudaErrors(cudaFreeHost(h_A));
  checkCudaErrors(cudaFreeHost(h_B));
  checkCudaErrors(cudaFreeHost(h_C));
  checkCudaErrors(cudaFree(d_A));
  checkCudaErrors(cudaFree(d_B));
  checkCudaErrors(cudaFree(d_C));
  checkCudaErrors(cudaEventDestroy(start));
  checkCudaErrors(cudaEventDestroy(stop));
  checkCudaErrors(cudaStreamDestroy(stream));
  return correct;
}

int main() {
  cudaDeviceProp prop;
  checkCudaErrors(cudaGetDeviceProperties(&prop, 0));
  printf("GPU Device 0: \"%s\" with compute capability %d.%d\n", prop.name, prop.major, prop.minor);
  const bool ok = run(16, 64, 48, 80) && run(32, 64, 96, 32) && run(16, 50, 33, 71) && run(32, 1, 1, 1);
  printf("Result = %s\n", ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
