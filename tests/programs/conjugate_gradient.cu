// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradient in one cooperative launch: a sparse matrix in managed memory, dot products by tile reductions
// and atomics on a managed double, the grid's barrier after every step.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

#define checkCudaErrors(x)                                                      \
  do {                                                                          \
    cudaError_t e_ = (x);                                                       \
    if (e_) {                                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(e_)); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

#define ENABLE_CPU_DEBUG_CODE 0
#define THREADS_PER_BLOCK 256

__device__ void gpuSpMV(int* I, int* J, float* val, int num_rows, float alpha, float* inputVecX, float* outputVecY,
                        const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < num_rows; i += grid.size()) {
    float output = 0.0;
    for (int j = I[i]; j < I[i + 1]; j++) output += alpha * val[j] * inputVecX[J[j]];
    outputVecY[i] = output;
  }
}

__device__ void gpuSaxpy(float* x, float* y, float a, int size, const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < size; i += grid.size()) y[i] = a * x[i] + y[i];
}

__device__ void gpuDotProduct(float* vecA, float* vecB, double* result, int size, const cg::thread_block& cta,
                              const cg::grid_group& grid) {
  extern __shared__ double tmp[];
  double temp_sum = 0.0;
  for (int i = grid.thread_rank(); i < size; i += grid.size()) temp_sum += static_cast<double>(vecA[i] * vecB[i]);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  temp_sum = cg::reduce(tile32, temp_sum, cg::plus<double>());
  if (tile32.thread_rank() == 0) tmp[tile32.meta_group_rank()] = temp_sum;
  cg::sync(cta);
  if (tile32.meta_group_rank() == 0) {
    temp_sum = tile32.thread_rank() < tile32.meta_group_size() ? tmp[tile32.thread_rank()] : 0.0;
    temp_sum = cg::reduce(tile32, temp_sum, cg::plus<double>());
    if (tile32.thread_rank() == 0) atomicAdd(result, temp_sum);
  }
}

__device__ void gpuScaleVectorAndSaxpy(const float* x, float* y, float a, float scale, int size,
                                       const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < size; i += grid.size()) y[i] = a * x[i] + scale * y[i];
}

extern "C" __global__ void gpuConjugateGradient(int* I, int* J, float* val, float* x, float* Ax, float* p, float* r,
                                                double* dot_result, int nnz, int N, float tol) {
  cg::thread_block cta = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  int max_iter = 10000;
  float alpham1 = -1.0, a, b, na, r0 = 0.0, r1;

  for (int i = grid.thread_rank(); i < N; i += grid.size()) r[i] = 1.0, x[i] = 0.0;
  cg::sync(grid);
  gpuSpMV(I, J, val, N, 1.0f, x, Ax, grid);
  cg::sync(grid);
  gpuSaxpy(Ax, r, alpham1, N, grid);
  cg::sync(grid);
  gpuDotProduct(r, r, dot_result, N, cta, grid);
  cg::sync(grid);
  r1 = *dot_result;

  int k = 1;
  while (r1 > tol * tol && k <= max_iter) {
    if (k > 1) {
      b = r1 / r0;
      gpuScaleVectorAndSaxpy(r, p, 1.0f, b, N, grid);
    } else {
      for (int i = grid.thread_rank(); i < N; i += grid.size()) p[i] = r[i];
    }
    cg::sync(grid);
    gpuSpMV(I, J, val, N, 1.0f, p, Ax, grid);
    if (threadIdx.x == 0 && blockIdx.x == 0) *dot_result = 0.0;
    cg::sync(grid);
    gpuDotProduct(p, Ax, dot_result, N, cta, grid);
    cg::sync(grid);
    a = r1 / *dot_result;
    gpuSaxpy(p, x, a, N, grid);
    na = -a;
    gpuSaxpy(Ax, r, na, N, grid);
    r0 = r1;
    cg::sync(grid);
    if (threadIdx.x == 0 && blockIdx.x == 0) *dot_result = 0.0;
    cg::sync(grid);
    gpuDotProduct(r, r, dot_result, N, cta, grid);
    cg::sync(grid);
    r1 = *dot_result;
    k++;
  }
}

int main() {
  const int N = 600, nnz = (N - 2) * 3 + 4;
  int *I, *J;
  float *val, *x, *r, *p, *Ax;
  double* dot_result;
  cudaMallocManaged((void**)&I, sizeof(int) * (N + 1));
  cudaMallocManaged((void**)&J, sizeof(int) * nnz);
  cudaMallocManaged((void**)&val, sizeof(float) * nnz);
  checkCudaErrors(cudaMallocManaged(&x, sizeof(float) * N));
  checkCudaErrors(cudaMallocManaged(&r, N * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&p, N * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&Ax, N * sizeof(float)));
  checkCudaErrors(cudaMallocManaged((void**)&dot_result, sizeof(double)));
  *dot_result = 0.0;
  // Makes a tridiagonal, diagonally dominant matrix.
  for (int i = 0, k = 0; i <= N; ++i) {
    I[i] = k;
    if (i == N) break;
    if (i > 0) J[k] = i - 1, val[k++] = 1.0f;
    J[k] = i, val[k++] = 4.0f + i % 7;
    if (i < N - 1) J[k] = i + 1, val[k++] = 1.0f;
  }
  const float tol = 1e-4f;
  int nz = nnz, rows = N;
  void* kernelArgs[] = {(void*)&I, (void*)&J,          (void*)&val, (void*)&x,    (void*)&Ax, (void*)&p,
                        (void*)&r, (void*)&dot_result, (void*)&nz,  (void*)&rows, (void*)&tol};

  cudaDeviceProp deviceProp;
  checkCudaErrors(cudaGetDeviceProperties(&deviceProp, 0));
  int sMemSize = sizeof(double) * ((THREADS_PER_BLOCK / 32) + 1), numBlocksPerSm = 0;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocksPerSm, gpuConjugateGradient,
                                                                THREADS_PER_BLOCK, sMemSize));
  int numBlocks = deviceProp.multiProcessorCount * numBlocksPerSm;
  dim3 dimGrid(numBlocks < 4 ? numBlocks : 4, 1, 1), dimBlock(THREADS_PER_BLOCK, 1, 1);
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  checkCudaErrors(cudaEventRecord(start, 0));
  checkCudaErrors(
      cudaLaunchCooperativeKernel((void*)gpuConjugateGradient, dimGrid, dimBlock, kernelArgs, sMemSize, NULL));
  checkCudaErrors(cudaEventRecord(stop, 0));
  checkCudaErrors(cudaDeviceSynchronize());
  float time;
  checkCudaErrors(cudaEventElapsedTime(&time, start, stop));

  float err = 0.0;
  for (int i = 0; i < N; i++) {
    float rsum = 0.0;
    for (int j = I[i]; j < I[i + 1]; j++) rsum += val[j] * x[J[j]];
    err = std::fmax(err, std::fabs(rsum - 1.0f));
  }
  printf("Final residual: %e\nTest Summary:  Error amount = %e\n", std::sqrt(*dot_result), err);
  for (void* m : {(void*)I, (void*)J, (void*)val, (void*)x, (void*)r, (void*)p, (void*)Ax, (void*)dot_result})
    checkCudaErrors(cudaFree(m));
  const bool ok = err < 1e-3 && err == err;
  printf(ok ? "PASSED\n" : "FAILED\n");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
