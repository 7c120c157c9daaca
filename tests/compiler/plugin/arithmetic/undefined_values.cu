// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane 0 takes work, and a shuffle or a broadcast passes it to the other lanes, whose variables are uninitialised
// before. Only lane 0 may execute the atomic operation.
#include <cooperative_groups.h>

#include "../check.hpp"

namespace cg = cooperative_groups;

constexpr int warps = 6, tasks = 50;

struct counters {
  int next;
  int taken[tasks + 2 * warps];
  int flags[warps];
  int firsts;
};

__global__ void take_all(counters* c) {
  const int lane = threadIdx.x % 32;
  int task;
  if (lane == 0) task = atomicAdd(&c->next, 1);
  task = __shfl_sync(~0u, task, 0);
  while (task < tasks) {
    if (lane == 7) atomicAdd(&c->taken[task], 1);
    if (lane == 0) task = atomicAdd(&c->next, 1);
    task = __shfl_sync(~0u, task, 0);
  }
}

__global__ void take_one(counters* c) {
  int task;
  if (threadIdx.x % 32 == 0) task = atomicAdd(&c->next, 1);
  task = __shfl_sync(~0u, task, 0);
  atomicAdd(&c->taken[task], 1);
}

__device__ __noinline__ int from_leader(int value) { return __shfl_sync(~0u, value, 0); }

__global__ void take_by_function(counters* c) {
  int task;
  if (threadIdx.x % 32 == 0) task = atomicAdd(&c->next, 1);
  task = from_leader(task);
  atomicAdd(&c->taken[task], 1);
}

__global__ void take_by_group(counters* c) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int task;
  if (warp.thread_rank() == 0) task = atomicAdd(&c->next, 1);
  task = warp.shfl(task, 0);
  atomicAdd(&c->taken[task], 1);
}

__global__ void raise_flags(counters* c) {
  const int warp = threadIdx.x / 32;
  bool first;
  for (int turn = 0; turn < 3; ++turn) {
    if (threadIdx.x % 32 == 0) first = atomicAdd(&c->flags[warp], 1) == 0;
    first = __shfl_sync(~0u, first, 0);
    if (first) atomicAdd(&c->firsts, 1);
  }
}

static counters* reset() {
  static counters* c = nullptr;
  if (!c) EXPECT_SUCCESS(cudaMallocManaged(&c, sizeof *c));
  *c = {};
  return c;
}

static void test_one(void (*kernel)(counters*), const char* name) {
  counters* c = reset();
  kernel<<<1, 32 * warps>>>(c);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(c->next, warps, name);
  for (int i = 0; i < warps; ++i) expect_equal(c->taken[i], 32, name, i);
}

int main() {
  counters* c = reset();
  take_all<<<2, 32 * warps / 2>>>(c);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  expect_equal(c->next, tasks + warps, "all tasks");
  for (int i = 0; i < tasks; ++i) expect_equal(c->taken[i], 1, "all tasks", i);

  test_one(take_one, "one task");
  test_one(take_by_function, "one task, by a function");
  test_one(take_by_group, "one task, by a tile");

  c = reset();
  raise_flags<<<1, 32 * warps>>>(c);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < warps; ++i) expect_equal(c->flags[i], 3, "flags", i);
  expect_equal(c->firsts, 32 * warps, "the first of each flag");
  return result();
}
