// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A least-significant-digit radix sort, four bits at a time: digit counts by block, a scan of all counts, a stable
// scatter with ranks from warp matches. Templates over key type, bit tricks for signed keys.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

constexpr int kBits = 4, kRadix = 1 << kBits, kThreads = 128;

template <class Key>
__host__ __device__ constexpr typename std::make_unsigned<Key>::type flip(Key key) {
  using U = typename std::make_unsigned<Key>::type;
  return std::is_signed<Key>::value ? static_cast<U>(key) ^ (U(1) << (sizeof(U) * 8 - 1)) : static_cast<U>(key);
}

template <class Key>
__device__ int digit_of(Key key, int shift) {
  return static_cast<int>((flip(key) >> shift) & (kRadix - 1));
}

// counts[digit * blocks + block]
template <class Key>
__global__ void count_digits(const Key* keys, int n, int shift, int* counts) {
  __shared__ int local[kRadix];
  if (threadIdx.x < kRadix) local[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(&local[digit_of(keys[i], shift)], 1);
  __syncthreads();
  if (threadIdx.x < kRadix) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void exclusive_scan_one_block(int* data, int n) {
  __shared__ int tmp[1024];
  __shared__ int carry;
  if (threadIdx.x == 0) carry = 0;
  for (int start = 0; start < n; start += blockDim.x) {
    const int i = start + threadIdx.x;
    const int mine = i < n ? data[i] : 0;
    tmp[threadIdx.x] = mine;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset <<= 1) {
      const int add = threadIdx.x >= offset ? tmp[threadIdx.x - offset] : 0;
      __syncthreads();
      tmp[threadIdx.x] += add;
      __syncthreads();
    }
    const int base = carry;
    if (i < n) data[i] = base + tmp[threadIdx.x] - mine;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) carry = base + tmp[threadIdx.x];
    __syncthreads();
  }
}

template <class Key>
__global__ void scatter(const Key* in, Key* out, int n, int shift, const int* offsets) {
  __shared__ int warp_counts[kThreads / 32][kRadix];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = lane; d < kRadix; d += 32) warp_counts[warp][d] = 0;
  __syncwarp();
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const bool live = i < n;
  const Key key = live ? in[i] : Key();
  const int digit = live ? digit_of(key, shift) : -1;
  const unsigned peers = __match_any_sync(0xffffffffu, digit);
  const int rank = __popc(peers & ((1u << lane) - 1));
  if (live && rank == 0) warp_counts[warp][digit] = __popc(peers);
  __syncthreads();
  if (!live) return;
  int place = offsets[digit * gridDim.x + blockIdx.x] + rank;
  for (int w = 0; w < warp; ++w) place += warp_counts[w][digit];
  out[place] = key;
}

template <class Key>
bool sort_and_check(const char* name, int n) {
  std::vector<Key> keys(n);
  uint64_t s = 88172645463325252ull;
  for (Key& k : keys) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    k = static_cast<Key>(s);
  }
  const int blocks = (n + kThreads - 1) / kThreads;
  Key *a, *b;
  int* counts;
  if (cudaMalloc(&a, n * sizeof(Key)) || cudaMalloc(&b, n * sizeof(Key)) ||
      cudaMalloc(&counts, kRadix * blocks * sizeof(int)))
    return false;
  cudaMemcpy(a, keys.data(), n * sizeof(Key), cudaMemcpyHostToDevice);
  for (int shift = 0; shift < static_cast<int>(sizeof(Key)) * 8; shift += kBits) {
    count_digits<<<blocks, kThreads>>>(a, n, shift, counts);
    exclusive_scan_one_block<<<1, 256>>>(counts, kRadix * blocks);
    scatter<Key><<<blocks, kThreads>>>(a, b, n, shift, counts);
    std::swap(a, b);
  }
  std::vector<Key> sorted(n);
  const cudaError_t e = cudaMemcpy(sorted.data(), a, n * sizeof(Key), cudaMemcpyDeviceToHost);
  cudaFree(a), cudaFree(b), cudaFree(counts);
  std::sort(keys.begin(), keys.end());
  const bool ok = e == cudaSuccess && sorted == keys;
  std::printf("radix sort of %d %s: %s\n", n, name, ok ? "ok" : cudaGetErrorString(e));
  return ok;
}

int main() {
  bool ok = sort_and_check<uint32_t>("uint32", 3001);
  ok = sort_and_check<int>("int", 2048) && ok;
  ok = sort_and_check<uint16_t>("uint16", 5000) && ok;
  ok = sort_and_check<long long>("long long", 1000) && ok;
  return ok ? 0 : 1;
}
