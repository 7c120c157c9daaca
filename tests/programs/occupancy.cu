// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries about the device and the kernels before a launch: occupancy, function attributes, dynamic shared memory above
// the default, properties, limits.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

static int failures = 0;
#define EXPECT(condition)                                         \
  if (!(condition)) {                                             \
    std::printf("line %d: not true: %s\n", __LINE__, #condition); \
    ++failures;                                                   \
  }
#define OK(call) EXPECT((call) == cudaSuccess)

__global__ void square(int* array, int arrayCount) {
  extern __shared__ int dynamicSmem[];
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < arrayCount) {
    dynamicSmem[threadIdx.x] = array[idx];
    array[idx] = dynamicSmem[threadIdx.x] * dynamicSmem[threadIdx.x];
  }
}

__global__ void __launch_bounds__(64, 2) bounded(int* out) {
  __shared__ int fixed[100];
  fixed[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = fixed[blockDim.x - 1];
}

__global__ void big_shared(int* out, int words) {
  extern __shared__ int room[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) room[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < words; i += 1000) sum += room[words - 1 - i];
    *out = sum;
  }
}

struct shared_for_block {
  size_t operator()(int blockSize) const { return blockSize * sizeof(int); }
};

int main() {
  int count = 0, device = -1;
  OK(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  OK(cudaSetDevice(0));
  OK(cudaGetDevice(&device));
  EXPECT(device == 0);
  cudaDeviceProp prop;
  OK(cudaGetDeviceProperties(&prop, device));
  std::printf("%s: %d SMs, %zu bytes of shared memory a block, warp %d\n", prop.name, prop.multiProcessorCount,
              prop.sharedMemPerBlock, prop.warpSize);
  EXPECT(prop.warpSize == 32 && prop.maxThreadsPerBlock == 1024 && prop.multiProcessorCount > 0);
  EXPECT(prop.sharedMemPerBlock == 48 * 1024 && prop.sharedMemPerBlockOptin > 64 * 1024);
  EXPECT(prop.maxThreadsDim[2] == 64 && prop.maxGridSize[0] == 2147483647 && prop.totalGlobalMem > 0);
  int value = 0;
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  EXPECT(static_cast<size_t>(value) == prop.sharedMemPerBlockOptin);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, device));
  EXPECT(value == prop.major);

  int minGridSize = 0, blockSize = 0, numBlocks = 0;
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGridSize, &blockSize, square, shared_for_block(), 0));
  EXPECT(blockSize >= 32 && blockSize <= 1024 && minGridSize >= 1);
  OK(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void*)bounded, 0, 0));
  EXPECT(blockSize >= 32 && blockSize <= 64);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, square, 1024, 1024 * sizeof(int)));
  EXPECT(numBlocks >= 1 && numBlocks <= 2);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&numBlocks, square, 256, 40000, cudaOccupancyDefault));
  EXPECT(numBlocks >= 1 && numBlocks <= 5);

  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(attributes.maxThreadsPerBlock == 64);
  EXPECT(attributes.sharedSizeBytes >= 400 && attributes.sharedSizeBytes < 48 * 1024);

  int n = 1000, *d_array, *d_out, out = 0;
  std::vector<int> array(n);
  for (int i = 0; i < n; ++i) array[i] = i;
  OK(cudaMalloc(&d_array, n * sizeof(int)));
  OK(cudaMalloc(&d_out, sizeof(int)));
  OK(cudaMemcpy(d_array, array.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&minGridSize, &blockSize, square, shared_for_block(), n));
  square<<<(n + blockSize - 1) / blockSize, blockSize, shared_for_block()(blockSize)>>>(d_array, n);
  OK(cudaGetLastError());
  OK(cudaMemcpy(array.data(), d_array, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(array[i] == i * i);

  bounded<<<1, 64>>>(d_out);
  OK(cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(out == 63);
  bounded<<<1, 65>>>(d_out);  // one thread more than __launch_bounds__ allows
  EXPECT(cudaGetLastError() != cudaSuccess);

  // 80 KiB of dynamic shared memory are refused before the attribute allows them.
  const int words = 20 * 1024;
  big_shared<<<1, 128, words * sizeof(int)>>>(d_out, words);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, words * sizeof(int)));
  big_shared<<<1, 128, words * sizeof(int)>>>(d_out, words);
  OK(cudaGetLastError());
  OK(cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost));
  int expected = 0;
  for (int i = 0; i < words; i += 1000) expected += words - 1 - i;
  EXPECT(out == expected);

  size_t free_bytes = 0, total_bytes = 0;
  OK(cudaMemGetInfo(&free_bytes, &total_bytes));
  EXPECT(free_bytes > 0 && free_bytes <= total_bytes);
  int driver = 0, runtime = 0;
  OK(cudaDriverGetVersion(&driver));
  OK(cudaRuntimeGetVersion(&runtime));
  EXPECT(driver >= runtime && runtime >= 11000);
  OK(cudaFree(d_array));
  OK(cudaFree(d_out));
  std::printf("occupancy: %s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
