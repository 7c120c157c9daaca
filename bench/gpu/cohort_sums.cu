// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a large array with Cohort: by one cooperative grid, and by one block for each batch.
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

#include "sums.cuh"

namespace {

// Adds one thread's share of a tile to `sums`. A thread loads 16 bytes at a time, `Loads` such vectors in flight. A
// tile is Threads * Loads vectors; the last one may be partial. The loads are streaming: no byte is read twice.
template <unsigned Threads, unsigned Loads>
__device__ void add_tile(float4 (&sums)[4], const float4* in, size_t vectors, size_t tile) {
  const auto add = [](float4& to, const float4& v) {
    to.x += v.x;
    to.y += v.y;
    to.z += v.z;
    to.w += v.w;
  };
  const size_t begin = tile * (Threads * Loads) + threadIdx.x;
  if ((tile + 1) * (Threads * Loads) <= vectors) {
    float4 loaded[Loads];
#pragma unroll
    for (unsigned i = 0; i < Loads; ++i) loaded[i] = __ldcs(in + begin + i * Threads);
#pragma unroll
    for (unsigned i = 0; i < Loads; ++i) add(sums[i % 4], loaded[i]);
  } else {
#pragma unroll 1
    for (size_t i = begin; i < vectors; i += Threads) add(sums[0], in[i]);
  }
}

__device__ float total(const float4 (&sums)[4]) {
  float all = 0;
#pragma unroll
  for (const float4& each : sums) all += (each.x + each.y) + (each.z + each.w);
  return all;
}

constexpr unsigned grid_threads = 512, grid_loads = 16;
constexpr unsigned batch_threads = 512, batch_loads = 8;

// Multiprocessors read at different rates, so each block takes the next tile when it has completed one. `taken` counts
// the tiles; it is 0 again at the end.
__global__ __launch_bounds__(grid_threads) void grid_sum(cohort::grid_workspace workspace, const float4* in,
                                                         size_t vectors, float* out, unsigned* taken) {
  constexpr size_t tile = size_t{grid_threads} * grid_loads;
  __shared__ unsigned next[2];
  const cohort::grid_group grid = cohort::this_grid(workspace);
  const cohort::thread_block block = cohort::this_thread_block();
  float4 sums[4] = {};
  unsigned mine = blockIdx.x;
#pragma unroll 1
  for (unsigned parity = 0; mine * tile < vectors; parity ^= 1) {
    if (block.thread_rank() == 0) next[parity] = gridDim.x + atomicAdd(taken, 1);
    add_tile<grid_threads, grid_loads>(sums, in, vectors, mine);
    block.sync();
    mine = next[parity];
  }
  const float sum = cohort::reduce(grid, total(sums), cohort::plus<float>());
  if (grid.thread_rank() == 0) {
    *out = sum;
    *taken = 0;
  }
}

__global__ __launch_bounds__(batch_threads) void batch_sum(const float4* in, size_t vectors, float* out) {
  const cohort::thread_block block = cohort::this_thread_block();
  float4 sums[4] = {};
#pragma unroll 1
  for (size_t tile = 0; tile * (batch_threads * batch_loads) < vectors; ++tile) {
    add_tile<batch_threads, batch_loads>(sums, in + blockIdx.x * vectors, vectors, tile);
  }
  const float sum = cohort::reduce(block, total(sums), cohort::plus<float>());
  if (block.thread_rank() == 0) out[blockIdx.x] = sum;
}

unsigned* tiles_taken() {
  static unsigned* const made = [] {
    unsigned* counter = nullptr;
    expect(cudaMalloc(&counter, sizeof *counter), "cudaMalloc");
    expect(cudaMemset(counter, 0, sizeof *counter), "cudaMemset");
    return counter;
  }();
  return made;
}

// The launch allocates the workspace each time.
void start_grid_with_memory() {
  const sum_arrays& a = arrays();
  const cohort::error result =
      cohort::launch_cooperative({cohort::largest_grid, grid_threads}, grid_sum,
                                 reinterpret_cast<const float4*>(a.values), array_length / 4, a.sums, tiles_taken());
  expect(static_cast<cudaError_t>(result.number()), "the sum's launch");
}

// The workspace is allocated before, as CUB's memory is.
void start_grid() {
  struct launch {
    int blocks = 0;
    cohort::grid_workspace workspace;
  };
  static launch prepared = [] {
    launch made;
    int processors = 0;
    expect(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
    expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&made.blocks, grid_sum, grid_threads, 0), "occupancy");
    made.blocks *= processors;
    const size_t bytes = cohort::grid_workspace::bytes_for(static_cast<uint64_t>(made.blocks));
    expect(cudaMalloc(&made.workspace.memory, bytes), "cudaMalloc");
    expect(cudaMemset(made.workspace.memory, 0, bytes), "cudaMemset");
    made.workspace.slot_bytes = cohort::grid_workspace::default_slot_bytes;
    return made;
  }();
  const sum_arrays& a = arrays();
  const float4* in = reinterpret_cast<const float4*>(a.values);
  size_t vectors = array_length / 4;
  float* out = a.sums;
  unsigned* taken = tiles_taken();
  void* arguments[] = {&prepared.workspace, &in, &vectors, &out, &taken};
  expect(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&grid_sum),
                                     dim3(static_cast<unsigned>(prepared.blocks)), dim3(grid_threads), arguments, 0,
                                     nullptr),
         "the sum's launch");
}
void start_batches() {
  const sum_arrays& a = arrays();
  batch_sum<<<batches, batch_threads>>>(reinterpret_cast<const float4*>(a.values), batch_length / 4, a.sums);
  expect(cudaGetLastError(), "the sums' launch");
}

}  // namespace

std::vector<row> sums_of_cohort() {
  return {
      {"sum of 2048 x 262144 floats", "GB/s", 1, [] { return rate_of(&start_grid, 1, array_length); }},
      {"the same sum, launch_cooperative", "GB/s", 1, [] { return rate_of(&start_grid_with_memory, 1, array_length); }},
      {"2048 sums of 262144 floats", "GB/s", 1, [] { return rate_of(&start_batches, batches, batch_length); }},
  };
}
