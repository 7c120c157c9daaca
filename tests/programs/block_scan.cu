// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums of a long array in three kernels: a scan of each block with warp shuffles, a scan of the blocks' sums,
// and a uniform addition. Also the double-buffered textbook scan in shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

static void require(cudaError_t code, int line) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(code));
    std::exit(1);
  }
}
#define REQUIRE(x) require((x), __LINE__)

// Scans the values of each (sub)warp of `width` lanes, then adds the sums of the block's earlier warps.
__global__ void shfl_scan_test(int* data, int width, int* partial_sums = nullptr) {
  extern __shared__ int sums[];
  const int id = (blockIdx.x * blockDim.x) + threadIdx.x;
  const int lane_id = id % warpSize;
  const int warp_id = threadIdx.x / warpSize;
  int value = data[id];
#pragma unroll
  for (int i = 1; i <= width; i *= 2) {
    const unsigned mask = 0xffffffff;
    const int n = __shfl_up_sync(mask, value, i, width);
    if (lane_id >= i) value += n;
  }
  if (threadIdx.x % warpSize == warpSize - 1) sums[warp_id] = value;
  __syncthreads();
  if (warp_id == 0 && lane_id < (blockDim.x / warpSize)) {
    int warp_sum = sums[lane_id];
    const int mask = (1 << (blockDim.x / warpSize)) - 1;
    for (int i = 1; i <= (blockDim.x / warpSize); i *= 2) {
      const int n = __shfl_up_sync(mask, warp_sum, i, (blockDim.x / warpSize));
      if (lane_id >= i) warp_sum += n;
    }
    sums[lane_id] = warp_sum;
  }
  __syncthreads();
  if (warp_id > 0) value += sums[warp_id - 1];
  data[id] = value;
  if (partial_sums != nullptr && threadIdx.x == blockDim.x - 1) partial_sums[blockIdx.x] = value;
}

__global__ void uniform_add(int* data, const int* partial_sums, int len) {
  __shared__ int buf;
  const int id = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (id >= len) return;
  if (threadIdx.x == 0) buf = blockIdx.x == 0 ? 0 : partial_sums[blockIdx.x - 1];
  __syncthreads();
  data[id] += buf;
}

template <typename T, int N>
__global__ void naive_exclusive_scan(const T* in, T* out) {
  __shared__ T temp[2 * N];
  int pout = 0, pin = 1;
  const int tid = threadIdx.x;
  temp[tid] = tid > 0 ? in[blockIdx.x * N + tid - 1] : T(0);
  __syncthreads();
  for (int offset = 1; offset < N; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (tid >= offset) {
      temp[pout * N + tid] = temp[pin * N + tid] + temp[pin * N + tid - offset];
    } else {
      temp[pout * N + tid] = temp[pin * N + tid];
    }
    __syncthreads();
  }
  out[blockIdx.x * N + tid] = temp[pout * N + tid];
}

int main() {
  const int block = 256, blocks = 128, n = block * blocks;
  std::vector<int> in(n), result(n), expected(n);
  for (int i = 0; i < n; ++i) in[i] = std::rand() % 19 - 9;
  std::partial_sum(in.begin(), in.end(), expected.begin());

  int *d_data, *d_partial;
  REQUIRE(cudaMalloc(&d_data, n * sizeof(int)));
  REQUIRE(cudaMalloc(&d_partial, blocks * sizeof(int)));
  REQUIRE(cudaMemcpy(d_data, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  shfl_scan_test<<<blocks, block, block / 32 * sizeof(int)>>>(d_data, 32, d_partial);
  shfl_scan_test<<<1, blocks, blocks / 32 * sizeof(int)>>>(d_partial, 32);
  uniform_add<<<blocks, block>>>(d_data, d_partial, n);
  REQUIRE(cudaGetLastError());
  REQUIRE(cudaMemcpy(result.data(), d_data, n * sizeof(int), cudaMemcpyDeviceToHost));
  if (result != expected) {
    std::printf("shuffle scan: wrong\n");
    return 1;
  }

  int* d_out;
  REQUIRE(cudaMalloc(&d_out, n * sizeof(int)));
  REQUIRE(cudaMemcpy(d_data, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  naive_exclusive_scan<int, 128><<<n / 128, 128>>>(d_data, d_out);
  REQUIRE(cudaDeviceSynchronize());
  REQUIRE(cudaMemcpy(result.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0, sum = 0; i < n; ++i) {
    if (i % 128 == 0) sum = 0;
    if (result[i] != sum) {
      std::printf("naive scan: element %d is %d, expected %d\n", i, result[i], sum);
      return 1;
    }
    sum += in[i];
  }
  REQUIRE(cudaFree(d_data));
  REQUIRE(cudaFree(d_partial));
  REQUIRE(cudaFree(d_out));
  std::printf("scan PASSED\n");
  return 0;
}
