// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches by kernels: each thread's child grid writes what a model on the host computes without a launch.
#include <cooperative_groups.h>

#include <vector>

#include "../expect.hpp"
#include "other_file.cuh"

namespace cg = cooperative_groups;

struct odd {
  char tag;
  short numbers[3];
};
struct three {
  float x, y, z;
};
struct large {
  int values[9];
  double scale;
};
struct copied {
  int value;
  __host__ __device__ explicit copied(int v) : value(v) {}
  __host__ __device__ copied(const copied& other) : value(other.value) {}
};

// The word of thread `at` of a child, by the child's arguments.
__host__ __device__ int mixture(int at, char c, short s, bool b, float f, double d, odd o, three t, const large& l,
                                int v) {
  return at * 3 + c + s + (b ? 7 : 11) + static_cast<int>(f * 2) + static_cast<int>(d * 4) + o.tag + o.numbers[at % 3] +
         static_cast<int>(t.x + 2 * t.y + 3 * t.z) + static_cast<int>(l.values[at % 9] * l.scale) + v;
}

__device__ int rank_in_grid() {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return block * blockDim.x * blockDim.y * blockDim.z + thread;
}

__global__ void child(int* to, char c, short s, bool b, float f, double d, odd o, three t, large l, copied v) {
  const int at = rank_in_grid();
  to[at] = mixture(at, c, s, b, f, d, o, t, l, v.value);
}

constexpr int room = 64;  // words of the output for each parent thread

__host__ __device__ dim3 grid_of(int parent) { return dim3(1 + parent % 3, 1 + parent / 3 % 2, 1); }
__host__ __device__ dim3 block_of(int parent) { return dim3(1 + parent % 4, 1, 1 + parent % 2); }

__device__ void launch_child(int* to, int parent) {
  odd o = {static_cast<char>(parent % 5), {1, 2, static_cast<short>(parent)}};
  large l = {{1, 2, 3, 4, 5, 6, 7, 8, parent}, 0.5};
  child<<<grid_of(parent), block_of(parent)>>>(to + parent * room, static_cast<char>(parent % 50), -parent, parent % 2,
                                               parent * 0.5f, parent * 0.25, o, three{1.0f, 2.0f, parent * 1.0f}, l,
                                               copied(parent));
}

__global__ void parents(int* to, int period) {
  const int parent = rank_in_grid();
  if (parent % period == 0) launch_child(to, parent);
}
__global__ void parents_behind_barrier(int* to, int period) {
  __shared__ int last;
  const int parent = rank_in_grid();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) last = -1;
  __syncthreads();
  atomicMax(&last, parent);
  __syncthreads();
  if (parent % period == 0 && last >= parent) launch_child(to, parent);
}
__global__ void __cluster_dims__(1, 1, 1) parents_in_cooperation(int* to, int period) {
  cg::this_grid().sync();
  const int parent = rank_in_grid();
  if (parent % period == 0) launch_child(to, parent);
}

int volume(dim3 d) { return d.x * d.y * d.z; }

void check_parents(const int* to, int parents, int period) {
  for (int parent = 0; parent < parents; ++parent) {
    const int threads = parent % period == 0 ? volume(grid_of(parent)) * volume(block_of(parent)) : 0;
    const odd o = {static_cast<char>(parent % 5), {1, 2, static_cast<short>(parent)}};
    const large l = {{1, 2, 3, 4, 5, 6, 7, 8, parent}, 0.5};
    for (int at = 0; at < room; ++at) {
      const int expected = at >= threads
                               ? -1
                               : mixture(at, static_cast<char>(parent % 50), static_cast<short>(-parent), parent % 2,
                                         parent * 0.5f, parent * 0.25, o, three{1.0f, 2.0f, parent * 1.0f}, l, parent);
      EXPECT(to[parent * room + at] == expected);
    }
  }
}

void test_shapes(int* to) {
  const dim3 shapes[][2] = {{1, 1}, {1, 33}, {3, 31}, {dim3(2, 2), dim3(3, 5)}, {dim3(1, 2, 2), dim3(7, 2, 3)}};
  for (const auto& [grid, block] : shapes) {
    const int count = volume(grid) * volume(block);
    for (int period : {1, 3}) {
      for (int kind = 0; kind < 3; ++kind) {
        CALL(cudaMemset(to, -1, count * room * sizeof(int)));
        if (kind == 0) parents<<<grid, block>>>(to, period);
        if (kind == 1) parents_behind_barrier<<<grid, block>>>(to, period);
        void* arguments[] = {&to, &period};
        if (kind == 2) CALL(cudaLaunchCooperativeKernel(parents_in_cooperation, grid, block, arguments));
        CALL(cudaDeviceSynchronize());
        check_parents(to, count, period);
      }
    }
  }
}

// Forms of launches.
template <class T, int N>
__global__ void add(T* to, T amount) {
  to[threadIdx.x] += amount * N;
}
__global__ void overloaded(int* to) { to[threadIdx.x] += 1; }
__global__ void overloaded(int* to, int amount) { to[threadIdx.x] += amount; }
namespace inner {
static __global__ void of_file(int* to) { to[threadIdx.x] += 10000; }
__global__ void of_namespace(int* to, int amount = 5) { to[threadIdx.x] += amount; }
}  // namespace inner
__global__ void with_dynamic_memory(int* to, int count) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x * count;
  __syncthreads();
  to[threadIdx.x] += words[(threadIdx.x + 1) % blockDim.x];
}
__global__ void __cluster_dims__(2) of_cluster(int* to) {
  to[rank_in_grid()] += 100 * (1 + cg::this_cluster().block_rank());
}
template <class Body>
__global__ void of_lambda(Body body) {
  body();
}

__device__ void (*table[])(int*, int) = {add<int, 2>, inner::of_namespace};

#define LAUNCH(kernel, ...) kernel<<<1, 3>>>(__VA_ARGS__)

template <class T>
__device__ void launch_in_template(T* to) {
  add<T, 5><<<1, 3>>>(to, T(2));
}
__host__ __device__ void launch_on_both_sides(int* to) { overloaded<<<1, 3>>>(to, 40); }

__global__ void forms(int* to) {
  if (threadIdx.x != 0) return;
  add<int, 1><<<1, 3>>>(to, 1);
  add<int, 3><<<1, dim3(3)>>>(to, 2);
  overloaded<<<1, 3>>>(to);
  overloaded<<<1, 3>>>(to, 30);
  inner::of_file<<<1, 3>>>(to);
  inner::of_namespace<<<1, 3>>>(to);
  ::inner::of_namespace<<<1, 3, 0>>>(to, 6);
  with_dynamic_memory<<<1, 3, 3 * sizeof(int)>>>(to, 1000);
  of_cluster<<<2, 1>>>(to);
  LAUNCH(overloaded, to, 7);
  LAUNCH((add<int, 1>), to, 8);
  launch_in_template(to);
  launch_on_both_sides(to);
  table[0]<<<1, 3>>>(to, 50);
  void (*pointer)(int*, int) = blockDim.x > 1 ? table[1] : &add<int, 1>;
  pointer<<<1, 3>>>(to, 60);
  if (to)
    overloaded<<<1, 3>>>(to, 3);
  else
    overloaded<<<1, 3>>>(to, 4);
  auto launch = [=](int amount) { overloaded<<<1, 3>>>(to, amount); };
  launch(9);
  add_of_other_file<<<1, 3>>>(to, 11);
  launch_of_other_file(to, 3);
}

void test_forms(int* to) {
  CALL(cudaMemset(to, 0, 3 * sizeof(int)));
  forms<<<1, 2>>>(to);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) {
    int expected =
        1 + 3 * 2 + 1 + 30 + 10000 + 5 + 6 + (i + 1) % 3 * 1000 + (i < 2 ? 100 * (1 + i) : 0) + 7 + 8 + 10 + 40;
    expected += 2 * 50 + 60 + 3 + 9 + 11;
    EXPECT(to[i] == expected * 3);
  }
  CALL(cudaMemset(to, 0, 3 * sizeof(int)));
  launch_on_both_sides(to);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) EXPECT(to[i] == 40);
}

// A tree: each thread of a grid of depth d > 0 launches two grids of three threads.
__global__ void tree(int* count, int* ended_below, int depth) {
  atomicAdd(&count[depth], 1);
  if (depth == 0) return;
  tree<<<1, 3>>>(count, ended_below, depth - 1);
  tree<<<1, dim3(1, 3), 0, cudaStreamFireAndForget>>>(count, ended_below, depth - 1);
}

void test_tree(int* to) {
  constexpr int depth = 4;
  CALL(cudaMemset(to, 0, 64));
  tree<<<1, 1>>>(to, to + 10, depth);
  CALL(cudaDeviceSynchronize());
  for (int d = depth, expected = 1; d >= 0; --d, expected *= 6) EXPECT(to[d] == expected);
}

// Later work in the host's stream follows the children of earlier grids.
__global__ void double_later(int* to) { overloaded<<<1, 1>>>(to, *to); }

void test_host_order(int* to) {
  cudaStream_t stream;
  CALL(cudaStreamCreate(&stream));
  *to = 1;
  for (int i = 0; i < 9; ++i) double_later<<<1, 1, 0, stream>>>(to);
  int copied = 0;
  CALL(cudaMemcpyAsync(&copied, to, sizeof copied, cudaMemcpyDefault, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(copied == 512);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 3; ++i) double_later<<<1, 1, 0, stream>>>(to);
  CALL(cudaStreamEndCapture(stream, &graph));
  CALL(cudaGraphInstantiate(&executable, graph));
  for (int i = 0; i < 2; ++i) CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(*to == 512 << 6);
}

int main() {
  int* to = nullptr;
  CALL(cudaMallocManaged(&to, 256 * room * sizeof(int)));
  test_shapes(to);
  test_forms(to);
  test_tree(to);
  test_host_order(to);
  std::puts(failures == 0 ? "passed" : "FAILED");
  return failures != 0;
}
