// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histogram with one sub-histogram for each warp in shared memory, merged by a second kernel; and the simple form
// with shared and global atomics on 64-bit counters.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

typedef unsigned int uint;
typedef unsigned char uchar;

#define WARP_COUNT 6
#define WARP_SIZE 32
#define HISTOGRAM256_BIN_COUNT 256
#define THREADBLOCK (WARP_COUNT * WARP_SIZE)

#define CUDA_OK(x)                                             \
  if (cudaError_t e = (x)) {                                   \
    std::printf("%s failed: %s\n", #x, cudaGetErrorString(e)); \
    return 1;                                                  \
  }

inline __device__ void addByte(uint* s_WarpHist, uint data) { atomicAdd(s_WarpHist + data, 1u); }

inline __device__ void addWord(uint* s_WarpHist, uint data) {
  addByte(s_WarpHist, (data >> 0) & 0xFFU);
  addByte(s_WarpHist, (data >> 8) & 0xFFU);
  addByte(s_WarpHist, (data >> 16) & 0xFFU);
  addByte(s_WarpHist, (data >> 24) & 0xFFU);
}

__global__ void histogram256Kernel(uint* d_Partial, const uint* d_Data, uint dataCount) {
  __shared__ uint s_Hist[WARP_COUNT * HISTOGRAM256_BIN_COUNT];
  uint* s_WarpHist = s_Hist + (threadIdx.x / WARP_SIZE) * HISTOGRAM256_BIN_COUNT;

#pragma unroll
  for (uint i = 0; i < (WARP_COUNT * HISTOGRAM256_BIN_COUNT) / THREADBLOCK; i++) {
    s_Hist[threadIdx.x + i * THREADBLOCK] = 0;
  }
  __syncthreads();
  for (uint pos = __umul24(blockIdx.x, blockDim.x) + threadIdx.x; pos < dataCount;
       pos += __umul24(blockDim.x, gridDim.x)) {
    addWord(s_WarpHist, d_Data[pos]);
  }
  __syncthreads();
  for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += THREADBLOCK) {
    uint sum = 0;
    for (uint i = 0; i < WARP_COUNT; i++) sum += s_Hist[bin + i * HISTOGRAM256_BIN_COUNT];
    d_Partial[blockIdx.x * HISTOGRAM256_BIN_COUNT + bin] = sum;
  }
}

__global__ void mergeHistogram256Kernel(uint* d_Histogram, const uint* d_Partial, uint histogramCount) {
  __shared__ uint data[128];
  uint sum = 0;
  for (uint i = threadIdx.x; i < histogramCount; i += 128) sum += d_Partial[blockIdx.x + i * HISTOGRAM256_BIN_COUNT];
  data[threadIdx.x] = sum;
  for (uint stride = 128 / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (threadIdx.x < stride) data[threadIdx.x] += data[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) d_Histogram[blockIdx.x] = data[0];
}

// The simple form: dynamic shared memory, early return of threads beyond the data, 64-bit global counters.
__global__ void simpleHistogram(unsigned long long* bins, const uchar* data, size_t n) {
  extern __shared__ uint local[];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    if (local[b] != 0) atomicAdd(&bins[b], static_cast<unsigned long long>(local[b]));
  }
}

int main() {
  const uint words = 70001, blocks = 24;
  std::vector<uint> data(words);
  std::vector<uint> expected(256, 0);
  uint state = 42;
  for (uint& w : data) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    w = state & (state >> 3);
    for (int b = 0; b < 4; ++b) ++expected[(w >> (8 * b)) & 255];
  }
  uint *d_data, *d_partial, *d_hist;
  unsigned long long* d_simple;
  CUDA_OK(cudaMalloc(&d_data, words * sizeof(uint)));
  CUDA_OK(cudaMalloc(&d_partial, blocks * 256 * sizeof(uint)));
  CUDA_OK(cudaMalloc(&d_hist, 256 * sizeof(uint)));
  CUDA_OK(cudaMalloc(&d_simple, 256 * sizeof(unsigned long long)));
  CUDA_OK(cudaMemset(d_simple, 0, 256 * sizeof(unsigned long long)));
  CUDA_OK(cudaMemcpy(d_data, data.data(), words * sizeof(uint), cudaMemcpyHostToDevice));
  histogram256Kernel<<<blocks, THREADBLOCK>>>(d_partial, d_data, words);
  mergeHistogram256Kernel<<<256, 128>>>(d_hist, d_partial, blocks);
  const size_t bytes = words * sizeof(uint);
  simpleHistogram<<<static_cast<uint>((bytes + 511) / 512), 512, 256 * sizeof(uint)>>>(
      d_simple, reinterpret_cast<uchar*>(d_data), bytes);
  CUDA_OK(cudaGetLastError());
  std::vector<uint> hist(256);
  std::vector<unsigned long long> simple(256);
  CUDA_OK(cudaMemcpy(hist.data(), d_hist, 256 * sizeof(uint), cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy(simple.data(), d_simple, 256 * sizeof(unsigned long long), cudaMemcpyDeviceToHost));
  for (int b = 0; b < 256; ++b) {
    if (hist[b] != expected[b] || simple[b] != expected[b]) {
      std::printf("bin %d: %u and %llu, expected %u\n", b, hist[b], simple[b], expected[b]);
      return 1;
    }
  }
  cudaFree(d_data), cudaFree(d_partial), cudaFree(d_hist), cudaFree(d_simple);
  std::printf("histogram PASSED\n");
  return 0;
}
