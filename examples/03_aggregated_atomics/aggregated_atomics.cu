// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream compaction with one shared counter, in three ways: one atomic for each kept element, one atomic for each
// coalesced group, and one atomic for each active mask with the older warp intrinsics.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

struct one_atomic_each {
  __device__ static int next(int* counter) { return atomicAdd(counter, 1); }
};

//! [coalesced_threads]
struct by_group {
  __device__ static int next(int* counter) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(active.size()));
    return active.shfl(first, 0) + static_cast<int>(active.thread_rank());
  }
};
//! [coalesced_threads]

// The mask of the lanes below the caller's. Many CUDA texts use this name for an intrinsic, but no CUDA header declares
// it.
__device__ unsigned __lanemask_lt() {
  const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return (1u << (rank % 32)) - 1;
}

struct by_intrinsics {
  __device__ static int next(int* counter) {
    const unsigned active = __activemask();
    const int leader = __ffs(static_cast<int>(active)) - 1;
    const int below = __popc(active & __lanemask_lt());
    int first = 0;
    if (below == 0) first = atomicAdd(counter, __popc(active));
    return __shfl_sync(active, first, leader) + below;
  }
};

__host__ __device__ inline bool kept(int value) { return value % 3 == 0; }

template <class Slot>
__global__ void keep(const int* in, int count, int* out, int* counter) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    if (kept(in[i])) out[Slot::next(counter)] = in[i];
  }
}

template <class Slot>
static bool run(const char* name, const std::vector<int>& in, const std::vector<int>& expected) {
  example::device_array<int> d_in(in), d_out(in.size()), d_counter(1);
  keep<Slot><<<16, 128>>>(d_in.get(), static_cast<int>(in.size()), d_out.get(), d_counter.get());
  EXAMPLE_CHECK_LAUNCH();
  const int kept_count = d_counter.to_host()[0];
  std::vector<int> out = d_out.to_host();
  bool right = kept_count == static_cast<int>(expected.size());
  if (right) {
    // The order of the slots is unspecified, so the comparison sorts first.
    out.resize(static_cast<size_t>(kept_count));
    std::sort(out.begin(), out.end());
    right = out == expected;
  }
  std::printf("%-22s kept %d of %zu%s\n", name, kept_count, in.size(), right ? "" : "  <- wrong");
  return right;
}

int main(int argc, char** argv) {
  long long elements = 100003;
  example::options("aggregated_atomics", "one atomic for the active threads of a warp")
      .number("--elements", elements, 1, 100000000, "numbers to filter")
      .parse(argc, argv);

  std::vector<int> in(static_cast<size_t>(elements)), expected;
  uint32_t state = 12345;
  for (int& value : in) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 8);
    if (kept(value)) expected.push_back(value);
  }
  std::sort(expected.begin(), expected.end());

  bool right = run<one_atomic_each>("one atomic each:", in, expected);
  right = run<by_group>("coalesced group:", in, expected) && right;
  right = run<by_intrinsics>("warp intrinsics:", in, expected) && right;
  return example::verdict(right, "each kept number once, by all three ways");
}
