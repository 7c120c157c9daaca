// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum in one plain launch: the block that finishes last, detected by a wrapping counter after a fence, adds up the
// partial sums in global memory. The kernel runs many times: the counter must return to zero each time.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ unsigned int retirementCount = 0;

template <unsigned blockSize>
__device__ float reduceBlock(float mySum) {
  __shared__ volatile float sdata[blockSize];
  const unsigned tid = threadIdx.x;
  sdata[tid] = mySum;
  __syncthreads();
#pragma unroll
  for (unsigned s = blockSize / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] = mySum = mySum + sdata[tid + s];
    __syncthreads();
  }
  return sdata[0];
}

template <unsigned blockSize>
__global__ void reduceSinglePass(const float* g_idata, volatile float* g_odata, unsigned n) {
  float sum = 0;
  for (unsigned i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x) sum += g_idata[i];
  sum = reduceBlock<blockSize>(sum);
  if (threadIdx.x == 0) g_odata[blockIdx.x] = sum;

  if (gridDim.x > 1) {
    __shared__ bool amLast;
    __threadfence();
    if (threadIdx.x == 0) {
      unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
      amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast) {
      float total = 0;
      for (unsigned i = threadIdx.x; i < gridDim.x; i += blockSize) total += g_odata[i];
      total = reduceBlock<blockSize>(total);
      if (threadIdx.x == 0) {
        g_odata[0] = total;
        retirementCount = 0;
      }
    }
  }
}

int main() {
  const unsigned n = 30011;
  std::vector<float> in(n);
  double expected = 0;
  for (unsigned i = 0; i < n; ++i) expected += in[i] = static_cast<float>(i % 101) - 40.0f;
  float *d_in, *d_out, sum = 0;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, 64 * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (int run = 0; run < 8; ++run) {
    cudaMemset(d_out, 0, 64 * sizeof(float));
    if (run % 2) {
      reduceSinglePass<128><<<1 + 9 * run, 128>>>(d_in, d_out, n);
    } else {
      reduceSinglePass<256><<<1 + 9 * run, 256>>>(d_in, d_out, n);
    }
    if (cudaMemcpy(&sum, d_out, sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    if (sum != expected) std::printf("run %d: %g, expected %g\n", run, sum, expected), ++wrong;
  }
  cudaFree(d_in);
  cudaFree(d_out);
  std::puts(wrong == 0 ? "PASSED" : "FAILED");
  return wrong != 0;
}
