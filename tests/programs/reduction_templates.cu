// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction with block size, type and evenness as template parameters, a switch that picks the instance, and a
// typed view of dynamic shared memory by specialised classes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
  __device__ inline operator const T*() const {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
};

template <>
struct SharedMemory<double> {
  __device__ inline operator double*() {
    extern __shared__ double __smem_d[];
    return (double*)__smem_d;
  }
};

inline bool isPow2(unsigned x) { return (x & (x - 1)) == 0; }

template <class T, unsigned blockSize, bool nIsPow2>
__global__ void reduce6(const T* g_idata, T* g_odata, unsigned n) {
  cg::thread_block cta = cg::this_thread_block();
  T* sdata = SharedMemory<T>();
  unsigned tid = threadIdx.x;
  unsigned gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  for (unsigned i = blockIdx.x * blockSize * 2 + threadIdx.x; i < n; i += gridSize) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
  }
  sdata[tid] = mySum;
  cg::sync(cta);
  if (blockSize >= 512 && tid < 256) sdata[tid] = mySum = mySum + sdata[tid + 256];
  cg::sync(cta);
  if (blockSize >= 256 && tid < 128) sdata[tid] = mySum = mySum + sdata[tid + 128];
  cg::sync(cta);
  if (blockSize >= 128 && tid < 64) sdata[tid] = mySum = mySum + sdata[tid + 64];
  cg::sync(cta);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    for (int offset = tile32.size() / 2; offset > 0; offset /= 2) mySum += tile32.shfl_down(mySum, offset);
  }
  if (cta.thread_rank() == 0) g_odata[blockIdx.x] = mySum;
}

// Reduces each warp with intrinsics, then the warps' sums in the first warp.
template <class T>
__device__ __forceinline__ T warpReduceSum(unsigned mask, T mySum) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mySum += __shfl_down_sync(mask, mySum, offset);
  return mySum;
}

template <typename T, unsigned int blockSize>
__global__ void reduce7(const T* __restrict__ g_idata, T* __restrict__ g_odata, unsigned n) {
  T* sdata = SharedMemory<T>();
  const unsigned tid = threadIdx.x;
  const unsigned shmem_extent = (blockSize / 32) > 0 ? (blockSize / 32) : 1;
  const unsigned ballot_result_full = 0xffffffffu;
  T mySum = 0;
  for (unsigned i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x) mySum += g_idata[i];
  mySum = warpReduceSum<T>(ballot_result_full, mySum);
  if ((tid % warpSize) == 0) sdata[tid / warpSize] = mySum;
  __syncthreads();
  const unsigned ballot_result = __ballot_sync(ballot_result_full, tid < shmem_extent);
  if (tid < shmem_extent) {
    mySum = sdata[tid];
    mySum = cg::reduce(cg::coalesced_threads(), mySum, cg::plus<T>());
  }
  if (tid == 0 && __popc(ballot_result) == static_cast<int>(shmem_extent)) g_odata[blockIdx.x] = mySum;
}

template <class T>
void reduce(int which, unsigned size, int threads, int blocks, const T* d_idata, T* d_odata) {
  dim3 dimBlock(threads, 1, 1), dimGrid(blocks, 1, 1);
  int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
#define CASE6(B, P)                                                            \
  case B:                                                                      \
    reduce6<T, B, P><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); \
    break;
  if (which == 6) {
    if (isPow2(size)) {
      switch (threads) { CASE6(512, true) CASE6(256, true) CASE6(128, true) CASE6(64, true) CASE6(32, true) }
    } else {
      switch (threads) { CASE6(512, false) CASE6(256, false) CASE6(128, false) CASE6(64, false) CASE6(32, false) }
    }
  } else {
    switch (threads) {
      case 512:
        reduce7<T, 512><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
        break;
      case 256:
        reduce7<T, 256><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
        break;
      case 128:
        reduce7<T, 128><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
        break;
      case 64:
        reduce7<T, 64><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
        break;
      case 32:
        reduce7<T, 32><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
        break;
    }
  }
}

template <class T>
int runTest(const char* name) {
  int failures = 0;
  for (unsigned size : {1u << 14, 10007u, 5u}) {
    std::vector<T> in(size);
    T expected = 0;
    for (unsigned i = 0; i < size; ++i) expected += in[i] = static_cast<T>((i * 31) % 64);
    const int blocks = 8;
    T *d_in, *d_out, out[8];
    if (cudaMalloc(&d_in, size * sizeof(T)) || cudaMalloc(&d_out, sizeof(out))) return 1;
    cudaMemcpy(d_in, in.data(), size * sizeof(T), cudaMemcpyHostToDevice);
    for (int which = 6; which <= 7; ++which) {
      for (int threads = 32; threads <= 512; threads *= 2) {
        // The even instances read a full pair of blocks, so they need enough elements.
        if (which == 6 && isPow2(size) && size < static_cast<unsigned>(threads * 2)) continue;
        reduce<T>(which, size, threads, blocks, d_in, d_out);
        if (cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
        T sum = 0;
        for (T s : out) sum += s;
        if (sum != expected) {
          std::printf("reduce%d<%s, %d> of %u: %g, expected %g\n", which, name, threads, size, double(sum),
                      double(expected));
          ++failures;
        }
      }
    }
    cudaFree(d_in);
    cudaFree(d_out);
  }
  return failures;
}

int main() {
  const int failures = runTest<int>("int") + runTest<float>("float") + runTest<double>("double");
  std::printf(failures == 0 ? "Test passed\n" : "Test failed!\n");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
