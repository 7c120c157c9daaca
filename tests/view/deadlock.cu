// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The deadlock of docs/debugging.md, whose reports cite these lines. With the argument `mended` the program ends.
#include <cstdio>

__global__ void scale(float* x, int n, float factor) {
  __shared__ float part[96];
  const int t = threadIdx.x;
  if (t < n) {
    part[t] = x[t] * factor;
    __syncthreads();
    x[t] = part[n - 1 - t];
  }
  x[t] += __shfl_sync(0xffffffff, x[t], 0);
}

__global__ void scale_mended(float* x, int n, float factor) {
  __shared__ float part[96];
  const int t = threadIdx.x;
  if (t < n) part[t] = x[t] * factor;
  __syncthreads();
  if (t < n) x[t] = part[n - 1 - t];
  x[t] += __shfl_sync(0xffffffff, x[t], 0);
}

// The threads of each state are scattered over the block.
__global__ void wait_scattered() {
  if (threadIdx.x % 2 == 0) __syncthreads();
  __syncwarp();
}

int main(int count, char** arguments) {
  float* x = nullptr;
  cudaMalloc(&x, 96 * sizeof(float));
  cudaMemset(x, 0, 96 * sizeof(float));
  if (count > 1 && arguments[1][0] == 's') {
    wait_scattered<<<1, 1024>>>();
  } else if (count > 1) {
    scale_mended<<<2, 96>>>(x, 50, 2);
  } else {
    scale<<<2, 96>>>(x, 50, 2);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
