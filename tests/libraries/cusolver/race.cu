// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two factorizations in two streams. `race.cu race` passes one work space to both, `race.cu order` one to each. Exits
// with 77 where OpenBLAS is missing.
#include <cusolverDn.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int n = 33;

__global__ void make_diagonal(float* a, float value) {
  a[blockIdx.x * n + threadIdx.x] = blockIdx.x == threadIdx.x ? value : 0;
}

}  // namespace

int main(int count, char** arguments) {
  const bool shares = count > 1 && std::strcmp(arguments[1], "race") == 0;
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) {
    std::puts("skipped: OpenBLAS is not installed");
    return 77;
  }
  float *matrices[2], *tau[2], *work[2];
  int* info;
  cudaMalloc(&info, 2 * sizeof(int));
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    cudaMalloc(&matrices[i], n * n * sizeof(float));
    cudaMalloc(&tau[i], n * sizeof(float));
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    make_diagonal<<<n, n>>>(matrices[i], 2.f + i);
  }
  int length = 0;
  cusolverDnSgeqrf_bufferSize(handle, n, n, matrices[0], n, &length);
  for (float*& space : work) cudaMalloc(&space, length * sizeof(float));
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) {
    cusolverDnSetStream(handle, streams[i]);
    cusolverDnSgeqrf(handle, n, n, matrices[i], n, tau[i], work[shares ? 0 : i], length, info + i);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("the error is %s\n", cudaGetErrorName(error));
  if (shares) return 0;
  std::vector<float> result(n * n);
  cudaMemcpy(result.data(), matrices[1], n * n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (result[i * n + i] != 3 && result[i * n + i] != -3) return 1;
  }
  std::puts("the diagonal is that of the matrix");
  return 0;
}
