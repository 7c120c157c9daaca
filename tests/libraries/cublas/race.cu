// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product and a kernel on the same matrix. `race.cu race` runs them in two streams without an order between them,
// `race.cu order` with an event between them. Exits with 77 where OpenBLAS is missing.
#include <cublas_v2.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int n = 33;

__global__ void fill(float* a, float value) { a[blockIdx.x * n + threadIdx.x] = value; }

}  // namespace

int main(int count, char** arguments) {
  const bool orders = count > 1 && std::strcmp(arguments[1], "order") == 0;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
    std::puts("skipped: OpenBLAS is not installed");
    return 77;
  }
  float *a, *b, *c;
  for (float** matrix : {&a, &b, &c}) cudaMalloc(matrix, n * n * sizeof(float));
  fill<<<n, n>>>(b, 2);
  fill<<<n, n>>>(c, 0);
  cudaDeviceSynchronize();
  cudaStream_t kernels, products;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&products, cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreate(&filled);

  const float alpha = 1, beta = 0;
  fill<<<n, n, 0, kernels>>>(a, 3);
  if (orders) {
    cudaEventRecord(filled, kernels);
    cudaStreamWaitEvent(products, filled);
  }
  cublasSetStream(handle, products);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a, n, b, n, &beta, c, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("the error is %s\n", cudaGetErrorName(error));
  if (orders) {
    std::vector<float> result(n * n);
    cudaMemcpy(result.data(), c, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float value : result) {
      if (value != 6.f * n) return 1;
    }
    std::puts("all elements are 198");
  }
  return 0;
}
