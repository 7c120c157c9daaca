// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sort of key and value pairs: in shared memory for short arrays, with global merge steps for long ones.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
typedef unsigned int uint;

#define SHARED_SIZE_LIMIT 512U

__device__ inline void Comparator(uint& keyA, uint& valA, uint& keyB, uint& valB, uint dir) {
  uint t;
  if ((keyA > keyB) == dir) {
    t = keyA;
    keyA = keyB;
    keyB = t;
    t = valA;
    valA = valB;
    valB = t;
  }
}

__global__ void bitonicSortShared1(uint* d_Key, uint* d_Val) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ uint s_key[SHARED_SIZE_LIMIT];
  __shared__ uint s_val[SHARED_SIZE_LIMIT];
  d_Key += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_Val += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_Key[0];
  s_val[threadIdx.x + 0] = d_Val[0];
  s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_Key[(SHARED_SIZE_LIMIT / 2)];
  s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_Val[(SHARED_SIZE_LIMIT / 2)];
  for (uint size = 2; size < SHARED_SIZE_LIMIT; size <<= 1) {
    uint ddd = (threadIdx.x & (size / 2)) != 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      cg::sync(cta);
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
    }
  }
  uint ddd = blockIdx.x & 1;
  for (uint stride = SHARED_SIZE_LIMIT / 2; stride > 0; stride >>= 1) {
    cg::sync(cta);
    uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
  }
  cg::sync(cta);
  d_Key[0] = s_key[threadIdx.x + 0];
  d_Val[0] = s_val[threadIdx.x + 0];
  d_Key[(SHARED_SIZE_LIMIT / 2)] = s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
  d_Val[(SHARED_SIZE_LIMIT / 2)] = s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}

__global__ void bitonicMergeGlobal(uint* d_Key, uint* d_Val, uint arrayLength, uint size, uint stride, uint dir) {
  uint global_comparatorI = blockIdx.x * blockDim.x + threadIdx.x;
  uint comparatorI = global_comparatorI & (arrayLength / 2 - 1);
  uint ddd = dir ^ ((comparatorI & (size / 2)) != 0);
  uint pos = 2 * global_comparatorI - (global_comparatorI & (stride - 1));
  uint keyA = d_Key[pos + 0], valA = d_Val[pos + 0], keyB = d_Key[pos + stride], valB = d_Val[pos + stride];
  Comparator(keyA, valA, keyB, valB, ddd);
  d_Key[pos + 0] = keyA;
  d_Val[pos + 0] = valA;
  d_Key[pos + stride] = keyB;
  d_Val[pos + stride] = valB;
}

__global__ void bitonicMergeShared(uint* d_Key, uint* d_Val, uint arrayLength, uint size, uint dir) {
  __shared__ uint s_key[SHARED_SIZE_LIMIT], s_val[SHARED_SIZE_LIMIT];
  const uint base = blockIdx.x * SHARED_SIZE_LIMIT;
  for (uint i = threadIdx.x; i < SHARED_SIZE_LIMIT; i += blockDim.x)
    s_key[i] = d_Key[base + i], s_val[i] = d_Val[base + i];
  uint comparatorI = (blockIdx.x * blockDim.x + threadIdx.x) & ((arrayLength / 2) - 1);
  uint ddd = dir ^ ((comparatorI & (size / 2)) != 0);
  for (uint stride = SHARED_SIZE_LIMIT / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
  }
  __syncthreads();
  for (uint i = threadIdx.x; i < SHARED_SIZE_LIMIT; i += blockDim.x)
    d_Key[base + i] = s_key[i], d_Val[base + i] = s_val[i];
}

int main() {
  const uint N = 1 << 13, dir = 1;
  std::vector<uint> key(N), val(N), sortedKey(N), sortedVal(N);
  uint state = 1;
  for (uint i = 0; i < N; i++) {
    state = state * 69069u + 1u;
    key[i] = state >> 20;
    val[i] = i;
  }
  uint *d_Key, *d_Val;
  cudaMalloc((void**)&d_Key, N * sizeof(uint));
  cudaMalloc((void**)&d_Val, N * sizeof(uint));
  cudaMemcpy(d_Key, key.data(), N * sizeof(uint), cudaMemcpyHostToDevice);
  cudaMemcpy(d_Val, val.data(), N * sizeof(uint), cudaMemcpyHostToDevice);

  const uint blockCount = N / SHARED_SIZE_LIMIT, threadCount = SHARED_SIZE_LIMIT / 2;
  bitonicSortShared1<<<blockCount, threadCount>>>(d_Key, d_Val);
  for (uint size = 2 * SHARED_SIZE_LIMIT; size <= N; size <<= 1) {
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      if (stride >= SHARED_SIZE_LIMIT) {
        bitonicMergeGlobal<<<(N / 2) / 256, 256>>>(d_Key, d_Val, N, size, stride, dir);
      } else {
        bitonicMergeShared<<<blockCount, threadCount>>>(d_Key, d_Val, N, size, dir);
        break;
      }
    }
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(sortedKey.data(), d_Key, N * sizeof(uint), cudaMemcpyDeviceToHost);
  cudaMemcpy(sortedVal.data(), d_Val, N * sizeof(uint), cudaMemcpyDeviceToHost);
  cudaFree(d_Key);
  cudaFree(d_Val);

  std::vector<uint> expected = key;
  std::sort(expected.begin(), expected.end());
  std::vector<bool> seen(N, false);
  bool ok = sortedKey == expected;
  for (uint i = 0; i < N && ok; ++i) {
    ok = sortedVal[i] < N && !seen[sortedVal[i]] && key[sortedVal[i]] == sortedKey[i];
    if (ok) seen[sortedVal[i]] = true;
  }
  printf("bitonic sort of %u pairs: %s\n", N, ok ? "OK" : "WRONG");
  return ok ? 0 : 1;
}
