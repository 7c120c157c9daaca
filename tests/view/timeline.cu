// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six parts of an array in three streams: copies to the device and back, a blur and a sharpening. The picture of the
// README shows its trace.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <vector>

constexpr int parts = 6, streams = 3, blocks = 6, threads = 256, rounds = 4;
constexpr int row = 8192, radius = 4;     // elements
constexpr int n = blocks * rounds * row;  // elements of a part

// Each element becomes the mean of its neighbours in its row.
__global__ void blur(float* x) {
  __shared__ float before[row];
  for (int r = 0; r < rounds; ++r) {
    float* const mine = x + (r * blocks + blockIdx.x) * row;
    for (unsigned i = threadIdx.x; i < row; i += threads) before[i] = mine[i];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < row; i += threads) {
      float sum = 0;
      for (int k = -radius; k <= radius; ++k) sum += before[(i + k) % row];
      mine[i] = sum / (2 * radius + 1);
    }
    __syncthreads();
  }
}

// Each element approaches its own sign, step by step.
__global__ void sharpen(float* x) {
  for (unsigned i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads) {
    float value = x[i];
    for (int step = 0; step < 8; ++step) value = 2 * value / sqrtf(1 + 3 * value * value);
    x[i] = value;
  }
}

int main() {
  std::vector<float> data(parts * n, 1.0f);
  cudaHostRegister(data.data(), data.size() * sizeof(float), cudaHostRegisterDefault);
  cudaStream_t stream[streams];
  float* x[streams];
  for (int s = 0; s < streams; ++s) {
    cudaStreamCreate(&stream[s]);
    cudaMalloc(&x[s], n * sizeof(float));
  }
  nvtxRangePush("submit");
  for (int p = 0; p < parts; ++p) {
    const int s = p % streams;
    float* const part = data.data() + p * n;
    cudaMemcpyAsync(x[s], part, n * sizeof(float), cudaMemcpyHostToDevice, stream[s]);
    blur<<<blocks, threads, 0, stream[s]>>>(x[s]);
    sharpen<<<blocks, threads, 0, stream[s]>>>(x[s]);
    cudaMemcpyAsync(part, x[s], n * sizeof(float), cudaMemcpyDeviceToHost, stream[s]);
  }
  nvtxRangePop();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s, %.4f\n", cudaGetErrorString(error), data[parts * n - 1]);
  return error != cudaSuccess;
}
