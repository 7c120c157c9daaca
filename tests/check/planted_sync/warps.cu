// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a warp whose mask names lanes at other places, and shared accesses of lanes without `__syncwarp()`.
// `@case.x` marks the lines of a finding.
#include <cooperative_groups.h>

#include "cases.hpp"

namespace cg = cooperative_groups;

constexpr unsigned full_mask = 0xffffffff;

// Lanes beyond the end of the data shuffle with the other lanes, but in a branch of their own.
template <bool wrong>
__global__ void row_sums(const float* x, float* sums, int width) {
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  float sum = 0;
  if constexpr (wrong) {
    if (lane < width) {
      sum = x[row * width + lane];
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full_mask, sum, d);  // @rows.in
    } else {
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full_mask, sum, d);  // @rows.out
    }
  } else {
    if (lane < width) sum = x[row * width + lane];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full_mask, sum, d);
  }
  if (lane == 0) sums[row] = sum;
}
template <bool wrong>
void run_rows() {
  row_sums<wrong><<<2, dim3(32, 4)>>>(device_numbers<float>(8 * 21), device_array<float>(8), 21);
}

// The lanes of the last partial round leave the loop, and vote after it with lanes that vote in the loop.
template <bool wrong>
__global__ void compact(const int* x, int n, int* out) {
  const int lane = threadIdx.x;
  int found = 0;
  if constexpr (wrong) {
    for (int i = lane; i < n; i += 32) found += __popc(__ballot_sync(full_mask, x[i] % 3 == 0));  // @vote.loop
    found += __popc(__ballot_sync(full_mask, false));                                             // @vote.end
  } else {
    for (int base = 0; base < n; base += 32) {
      const int i = base + lane;
      found += __popc(__ballot_sync(full_mask, i < n && x[i] % 3 == 0));
    }
  }
  if (lane == 0) out[0] = found;
}
template <bool wrong>
void run_vote() {
  compact<wrong><<<1, 32>>>(device_numbers<int>(75), 75, device_array<int>(1));
}

// A helper with a shuffle, called in both arms of a condition.
__device__ int broadcast_first(int value) {
  return __shfl_sync(full_mask, value, 0);  // @helper.shuffle
}
template <bool wrong>
__global__ void relative(int* x) {
  const int v = x[threadIdx.x];
  if constexpr (wrong) {
    if (v % 2 == 0) {
      x[threadIdx.x] = v - broadcast_first(v);  // @helper.even
    } else {
      x[threadIdx.x] = v + broadcast_first(v);  // @helper.odd
    }
  } else {
    const int first = broadcast_first(v);
    x[threadIdx.x] = v % 2 == 0 ? v - first : v + first;
  }
}
template <bool wrong>
void run_helper() {
  relative<wrong><<<1, 64>>>(device_numbers<int>(64));
}

// A function template that is never inlined, with one instance for each arm.
template <class T>
__device__ __noinline__ T warp_max(T value) {
  for (int d = 1; d < 32; d *= 2) {
    const T other = __shfl_xor_sync(full_mask, value, d);  // @maximum.shuffle
    value = value < other ? other : value;
  }
  return value;
}
template <bool wrong>
__global__ void scale_to_max(int* x) {
  const int v = x[threadIdx.x];
  if constexpr (wrong) {
    if (threadIdx.x < 16) {
      x[threadIdx.x] = v * warp_max(v);  // @maximum.low
    } else {
      x[threadIdx.x] = warp_max(v) - v;  // @maximum.high
    }
  } else {
    const int most = warp_max(v);
    x[threadIdx.x] = threadIdx.x < 16 ? v * most : most - v;
  }
}
template <bool wrong>
void run_maximum() {
  scale_to_max<wrong><<<1, 32>>>(device_numbers<int>(32));
}

// A tile of 16 whose lanes shuffle down in both arms.
template <bool wrong>
__global__ void differences(int* x) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  if constexpr (wrong) {
    if (tile.thread_rank() < 15) {
      x[i] = tile.shfl_down(v, 1) - v;  // @tile.down
    } else {
      x[i] = tile.shfl_down(v, 0);  // @tile.same
    }
  } else {
    const int next = tile.shfl_down(v, 1);
    x[i] = tile.thread_rank() < 15 ? next - v : v;
  }
}
template <bool wrong>
void run_tile() {
  differences<wrong><<<2, 48>>>(device_numbers<int>(96));
}

// The lanes of a group with one label take two branches.
template <bool wrong>
__global__ void by_key(const int* keys, int* counts) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int key = keys[block.thread_rank()] % 3;
  const auto same = cg::labeled_partition(warp, key);
  int votes;
  if constexpr (wrong) {
    votes = block.thread_rank() % 2 == 0 ? same.any(key == 1)   // @label.even
                                         : same.any(key == 2);  // @label.odd
  } else {
    votes = same.any(block.thread_rank() % 2 == 0 ? key == 1 : key == 2);
  }
  if (same.thread_rank() == 0) atomicAdd(&counts[key], votes);
}
template <bool wrong>
void run_label() {
  by_key<wrong><<<1, 32>>>(device_numbers<int>(32), device_array<int>(3));
}

// A reduction with the mask of __match_any_sync, at two places by the sign of the value.
template <bool wrong>
__global__ void sums_by_group(const int* x, int* out) {
  const int t = threadIdx.x, v = x[t];
  const unsigned peers = __match_any_sync(full_mask, v / 8);
  if constexpr (wrong) {
    out[t] = v % 8 < 3 ? -__reduce_add_sync(peers, v) : __reduce_add_sync(peers, v);  // @match.line
  } else {
    const int sum = __reduce_add_sync(peers, v);
    out[t] = v % 8 < 3 ? -sum : sum;
  }
}
template <bool wrong>
void run_match() {
  sums_by_group<wrong><<<1, 32>>>(device_numbers<int>(32), device_array<int>(32));
}

// A scan in shared memory, one warp for each row, without a barrier between the steps.
template <bool wrong>
__global__ void scan(int* x) {
  __shared__ int rows[4][32];
  const int lane = threadIdx.x, row = threadIdx.y, i = row * 32 + lane;
  rows[row][lane] = x[i];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    const int left = lane >= d ? rows[row][lane - d] : 0;  // @scan.read
    if constexpr (!wrong) __syncwarp();
    rows[row][lane] += left;  // @scan.write
    __syncwarp();
  }
  x[i] = rows[row][lane];
}
template <bool wrong>
void run_scan() {
  scan<wrong><<<1, dim3(32, 4)>>>(device_numbers<int>(128));
}

// A helper stores for its neighbour and wrongly relies on a shuffle to order the store.
struct mailbox {
  int* slots;
  __device__ int swap_with(int lane, int value) const {
    slots[threadIdx.x % 32] = value;  // @mail.write
    const int partner = __shfl_sync(full_mask, lane, threadIdx.x % 32);
    return slots[partner];  // @mail.read
  }
};
template <bool wrong>
__global__ void swap_lanes(int* x) {
  __shared__ int slots[32];
  const mailbox box{slots};
  const int lane = threadIdx.x;
  int v;
  if constexpr (wrong) {
    v = box.swap_with(lane ^ 1, x[lane]);
  } else {
    slots[lane] = x[lane];
    __syncwarp();
    v = slots[lane ^ 1];
  }
  x[lane] = v;
}
template <bool wrong>
void run_mail() {
  swap_lanes<wrong><<<1, 32>>>(device_numbers<int>(32));
}

// Each half of a warp is synchronised separately, and reads what the other half wrote.
template <bool wrong>
__global__ void halves(int* x) {
  __shared__ int part[32];
  const int lane = threadIdx.x;
  part[lane] = x[lane];  // @halves.write
  if constexpr (wrong) {
    __syncwarp(lane < 16 ? 0x0000ffff : 0xffff0000);
  } else {
    __syncwarp();
  }
  x[lane] += part[lane ^ 16];  // @halves.read
}
template <bool wrong>
void run_halves() {
  halves<wrong><<<1, 32>>>(device_numbers<int>(32));
}

// Two buffers are used in turn; with a single one, the tile's one barrier in a step is not enough.
template <bool wrong>
__global__ void diffuse(float* x, int steps) {
  __shared__ float buffers[2][64];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int t = threadIdx.x, base = t / 8 * 8, r = tile.thread_rank();
  int turn = 0;
  float v = x[t];
  for (int s = 0; s < steps; ++s) {
    float* const now = buffers[turn];
    now[base + r] = v;  // @buffer.write
    tile.sync();
    v = (now[base + (r + 1) % 8] + now[base + (r + 7) % 8]) / 2;  // @buffer.read
    if constexpr (!wrong) turn ^= 1;
  }
  x[t] = v;
}
template <bool wrong>
void run_buffer() {
  diffuse<wrong><<<1, 64>>>(device_numbers<float>(64), 3);
}

#define CASE(name) {#name, run_##name<true>, run_##name<false>}
const planted_case cases[] = {CASE(rows),  CASE(vote), CASE(helper), CASE(maximum), CASE(tile),  CASE(label),
                              CASE(match), CASE(scan), CASE(mail),   CASE(halves),  CASE(buffer)};
int main(int words, char** word) { return run_case(cases, words, word); }
