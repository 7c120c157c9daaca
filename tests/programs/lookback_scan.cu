// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums in one pass (decoupled look-back): each block publishes its sum and polls the sums of earlier blocks. A
// counter numbers the blocks in the order of their start, which makes the plain launch free of deadlock.
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems;
enum : unsigned long long { kEmpty = 0, kAggregate = 1ull << 62, kPrefix = 2ull << 62, kStateMask = 3ull << 62 };

__device__ unsigned next_tile;

__global__ void scan_one_pass(const int* in, int* out, int n, volatile unsigned long long* states) {
  __shared__ int warp_sums[kThreads / 32];
  __shared__ int tile_prefix;
  __shared__ unsigned tile_id;
  if (threadIdx.x == 0) tile_id = atomicAdd(&next_tile, 1u);
  __syncthreads();
  const int tile = static_cast<int>(tile_id), first = tile * kTile + threadIdx.x * kItems;

  int items[kItems], sum = 0;
#pragma unroll
  for (int k = 0; k < kItems; ++k) sum += items[k] = first + k < n ? in[first + k] : 0;
  int scan = sum;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, scan, d);
    if (lane >= d) scan += other;
  }
  if (lane == 31) warp_sums[warp] = scan;
  __syncthreads();
  int before = 0, total = 0;
  for (int w = 0; w < kThreads / 32; ++w) {
    if (w < warp) before += warp_sums[w];
    total += warp_sums[w];
  }

  if (threadIdx.x == 0) {
    int prefix = 0;
    if (tile > 0) {
      states[tile] = kAggregate | static_cast<unsigned>(total);
      __threadfence();
      for (int look = tile - 1; look >= 0;) {
        const unsigned long long state = states[look];
        if ((state & kStateMask) == kEmpty) continue;
        prefix += static_cast<int>(static_cast<unsigned>(state));
        if ((state & kStateMask) == kPrefix) break;
        --look;
      }
    }
    __threadfence();
    states[tile] = kPrefix | static_cast<unsigned>(prefix + total);
    tile_prefix = prefix;
  }
  __syncthreads();
  int running = tile_prefix + before + scan - sum;
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    running += items[k];
    if (first + k < n) out[first + k] = running;
  }
}

int main() {
  const int n = 50003, tiles = (n + kTile - 1) / kTile;
  std::vector<int> in(n), expected(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i * 13 % 29 - 10;
  std::partial_sum(in.begin(), in.end(), expected.begin());
  int *d_in, *d_out;
  unsigned long long* d_states;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_states, tiles * sizeof(unsigned long long));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  bool ok = true;
  for (int run = 0; run < 3 && ok; ++run) {
    const unsigned zero = 0;
    cudaMemset(d_states, 0, tiles * sizeof(unsigned long long));
    cudaMemcpyToSymbol(next_tile, &zero, sizeof(zero));
    scan_one_pass<<<tiles, kThreads>>>(d_in, d_out, n, d_states);
    const cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    ok = e == cudaSuccess && out == expected;
    if (!ok) std::printf("run %d: %s\n", run, e ? cudaGetErrorString(e) : "wrong sums");
  }
  cudaFree(d_in), cudaFree(d_out), cudaFree(d_states);
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
