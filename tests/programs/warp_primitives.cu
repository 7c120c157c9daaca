// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common warp code with intrinsics: butterfly sums, broadcast, segmented widths, ballots, matches, warp
// reductions, bit tricks, and a 4x4 matrix product whose rows live in lanes.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define FULL_MASK 0xffffffffu

struct lane_result {
  int butterfly, broadcast, up, segmented;
  double broadcast_double;
  long long broadcast_long;
  unsigned ballot, any, all, match, reduce_max;
  int reduce_add;
  int rank_in_match, highest, reversed, found_first;
  float matrix;
};

__inline__ __device__ int warpAllReduceSum(int val) {
  for (int mask = warpSize / 2; mask > 0; mask /= 2) val += __shfl_xor_sync(FULL_MASK, val, mask);
  return val;
}

__global__ void warps(lane_result* out, const float* a, const float* b) {
  const int lane = threadIdx.x & (warpSize - 1), warp = threadIdx.x / warpSize;
  const int value = lane * lane - 20 * warp;
  lane_result r;
  r.butterfly = warpAllReduceSum(value);
  r.broadcast = __shfl_sync(FULL_MASK, value, 7);
  r.broadcast_double = __shfl_sync(FULL_MASK, value * 0.5, lane ^ 3);
  r.broadcast_long = __shfl_down_sync(FULL_MASK, (long long)value << 33, 2);
  r.up = __shfl_up_sync(FULL_MASK, value, 1, 8);
  r.segmented = __shfl_sync(FULL_MASK, lane, 5, 8);
  r.ballot = __ballot_sync(FULL_MASK, value % 3 == 0);
  r.any = __any_sync(FULL_MASK, value == 100) != 0;
  r.all = __all_sync(FULL_MASK, value > -1000) != 0;
  r.match = __match_any_sync(FULL_MASK, lane % 5);
  r.rank_in_match = __popc(r.match & ((1u << lane) - 1));
  r.reduce_max = __reduce_max_sync(FULL_MASK, (unsigned)(lane * 37 % 32));
  r.reduce_add = __reduce_add_sync(FULL_MASK, value);
  r.highest = 31 - __clz(r.match);
  r.reversed = (int)(__brev(r.match) >> 31);
  r.found_first = __ffs(r.ballot) - 1;

  // Half of the warp has returned before the vote: only the lanes of the mask participate.
  unsigned odd = __ballot_sync(FULL_MASK, lane & 1);
  if (lane & 1) r.butterfly += __popc(__ballot_sync(odd, 1)) - 16;
  __syncwarp();

  // Lane 4 i + j holds element (i, j) of both factors; products move by shuffles within each group of 16.
  const int i = (lane % 16) / 4, j = lane % 4;
  const float x = a[warp * 32 + lane], y = b[warp * 32 + lane];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    sum = fmaf(__shfl_sync(FULL_MASK, x, 4 * i + k, 16), __shfl_sync(FULL_MASK, y, 4 * k + j, 16), sum);
  r.matrix = sum;
  out[threadIdx.x] = r;
}

static int check(const char* what, int thread, double got, double expected) {
  if (got == expected) return 0;
  std::printf("thread %d: %s is %g, expected %g\n", thread, what, got, expected);
  return 1;
}

int main() {
  const int threads = 96;
  float a[threads], b[threads];
  for (int i = 0; i < threads; ++i) a[i] = (float)(i % 9 - 4), b[i] = (float)(i % 7 - 3);
  float *d_a, *d_b;
  lane_result *d_out, out[threads];
  cudaMalloc(&d_a, sizeof(a));
  cudaMalloc(&d_b, sizeof(b));
  cudaMalloc(&d_out, sizeof(out));
  cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
  warps<<<1, threads>>>(d_out, d_a, d_b);
  if (cudaError_t e = cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost)) {
    std::printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  int wrong = 0;
  for (int t = 0; t < threads; ++t) {
    const int warp = t / 32, lane = t % 32;
    auto value = [&](int l) { return l * l - 20 * warp; };
    int sum = 0, first = -1, highest = 0;
    unsigned ballot = 0, match = 0;
    bool any = false;
    for (int l = 31; l >= 0; --l) {
      sum += value(l);
      any = any || value(l) == 100;
      if (value(l) % 3 == 0) ballot |= 1u << l, first = l;
      if (l % 5 == lane % 5) match |= 1u << l, highest = l > highest ? l : highest;
    }
    int below = 0;
    for (int l = 0; l < lane; ++l) below += l % 5 == lane % 5;
    float product = 0;
    for (int k = 0; k < 4; ++k)
      product +=
          a[warp * 32 + lane / 16 * 16 + 4 * (lane % 16 / 4) + k] * b[warp * 32 + lane / 16 * 16 + 4 * k + lane % 4];
    const lane_result& r = out[t];
    wrong += check("butterfly", t, r.butterfly, sum) + check("broadcast", t, r.broadcast, value(7)) +
             check("double", t, r.broadcast_double, value(lane ^ 3) * 0.5) +
             check("long", t, (double)(r.broadcast_long >> 33), value(lane + 2 < 32 ? lane + 2 : lane)) +
             check("up", t, r.up, lane % 8 == 0 ? value(lane) : value(lane - 1)) +
             check("segmented", t, r.segmented, lane / 8 * 8 + 5) + check("ballot", t, r.ballot, ballot) +
             check("any", t, r.any, any) + check("all", t, r.all, 1) + check("match", t, r.match, match) +
             check("rank", t, r.rank_in_match, below) + check("max", t, r.reduce_max, 31) +
             check("add", t, r.reduce_add, sum) + check("clz", t, r.highest, highest) +
             check("brev", t, r.reversed, match & 1) + check("ffs", t, r.found_first, first) +
             check("matrix", t, r.matrix, product);
  }
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_out);
  std::printf("warp primitives: %s\n", wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
