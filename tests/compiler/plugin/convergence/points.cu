// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that skip an arm, a loop or a call wait for the lanes that do not, wherever the code of either lies. One warp
// runs each kernel; sizes[place * 32 + lane] is the size of the group in which a lane passed a place, or 0.
#include <cooperative_groups.h>

#include "../check.hpp"

namespace cg = cooperative_groups;

constexpr int lanes = 32, places = 16;

__device__ int group_size() { return static_cast<int>(cg::coalesced_threads().size()); }
__device__ void record(int* sizes, int place) { sizes[place * lanes + threadIdx.x] = group_size(); }

__device__ __noinline__ void record_in_call(int* sizes, int place) {
  sizes[place * lanes + threadIdx.x] = group_size();
}
__device__ __noinline__ void record_in_deep_call(int* sizes, int place) {
  volatile int large[64];
  large[threadIdx.x] = place;
  sizes[large[threadIdx.x] * lanes + threadIdx.x] = group_size();
}

// LLVM places the unlikely arm after the loop.
__global__ void unlikely_arm(int* sizes) {
  if (__builtin_expect(threadIdx.x % 4 == 1, 0)) record(sizes, 0);
  for (int i = 1; i < 4; ++i) record(sizes, i);
}

// More iterations than a lane would wait if the other lanes were spinning.
__global__ void long_loop(int* sizes) {
  if (threadIdx.x < 8) {
    for (int i = 0; i < 300; ++i) record(sizes, i % 2);
  }
  record(sizes, 2);
}

// The second call needs a larger stack than the first.
__global__ void two_calls(int* sizes) {
  if (threadIdx.x % 4 == 1) record_in_call(sizes, 0);
  record_in_deep_call(sizes, 1);
}

// Two calls of one function are two places.
__global__ void two_arms(int* sizes) {
  if (threadIdx.x % 4 == 1) {
    record_in_call(sizes, 0);
  } else {
    record_in_call(sizes, 1);
  }
  record_in_call(sizes, 2);
}

// The loop is the caller's, the point is in the callee.
__global__ void loop_around_call(int* sizes) {
  for (int i = 0; i < 8; ++i) {
    if (static_cast<int>(threadIdx.x % 8) == i) record_in_call(sizes, i);
  }
  record_in_call(sizes, 8);
}

__device__ __noinline__ void descend(int* sizes, int level) {
  record(sizes, level);
  if (level < static_cast<int>(threadIdx.x % 4)) descend(sizes, level + 1);
  record(sizes, 4 + level);
}

__global__ void recursion(int* sizes) {
  if (threadIdx.x % 2 == 0 || threadIdx.x > 7) descend(sizes, 0);
  record(sizes, 8);
}

// Lanes leave the first inner loop at different times, and pass the second one together.
__global__ void loops_in_loop(int* sizes) {
  for (int outer = 0; outer < 2; ++outer) {
    for (unsigned i = 0; i < threadIdx.x % 4; ++i) record(sizes, outer * 6 + static_cast<int>(i));
    for (int i = 0; i < 2; ++i) record(sizes, outer * 6 + 4 + i);
  }
  record(sizes, 12);
}

__device__ void (*chosen)(int*, int) = record_in_call;

__global__ void call_by_pointer(int* sizes) {
  for (int i = 0; i < 4; ++i) {
    if (static_cast<int>(threadIdx.x % 4) == i) chosen(sizes, i);
  }
  chosen(sizes, 4);
}

// Runs a kernel and compares the sizes with those of the lanes for which `passes(lane, place)` is true.
template <class Passes>
void run(void (*kernel)(int*), const char* name, Passes passes) {
  int* sizes = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&sizes, places * lanes * sizeof(int)));
  for (int i = 0; i < places * lanes; ++i) sizes[i] = 0;
  kernel<<<1, lanes>>>(sizes);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int place = 0; place < places; ++place) {
    int count = 0;
    for (int lane = 0; lane < lanes; ++lane) count += passes(lane, place);
    for (int lane = 0; lane < lanes; ++lane) {
      expect_equal(sizes[place * lanes + lane], passes(lane, place) ? count : 0, name, place * 100 + lane);
    }
  }
  cudaFree(sizes);
}

int main() {
  run(unlikely_arm, "an unlikely arm", [](int lane, int place) { return place == 0 ? lane % 4 == 1 : place < 4; });
  run(long_loop, "a long loop", [](int lane, int place) { return place < 2 ? lane < 8 : place == 2; });
  run(two_calls, "two calls", [](int lane, int place) { return place == 0 ? lane % 4 == 1 : place == 1; });
  run(two_arms, "two arms",
      [](int lane, int place) { return place < 2 ? (lane % 4 == 1) == (place == 0) : place == 2; });
  run(loop_around_call, "a loop around a call",
      [](int lane, int place) { return place < 8 ? lane % 8 == place : place == 8; });
  run(recursion, "recursion", [](int lane, int place) {
    return place < 8 ? (lane % 2 == 0 || lane > 7) && place % 4 <= lane % 4 : place == 8;
  });
  run(loops_in_loop, "loops in a loop",
      [](int lane, int place) { return place < 12 ? place % 6 >= 4 || place % 6 < lane % 4 : place == 12; });
  run(call_by_pointer, "a call by pointer",
      [](int lane, int place) { return place < 4 ? lane % 4 == place : place == 4; });
  return result();
}
