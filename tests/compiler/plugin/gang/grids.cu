// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose gangs wait at barriers of the cluster, the grid and the multi-grid. A worker has several blocks of a
// cooperative grid, and a gang that waits lets the gangs of the next block run.
#include <cooperative_groups.h>

#include <vector>

#include "../check.hpp"

namespace cg = cooperative_groups;

constexpr unsigned most_threads = 1024, most_blocks = 8;

__host__ __device__ unsigned mix(unsigned a, unsigned b) { return (a ^ b >> 3) * 2654435761u + b; }

// Steps over an array, with a barrier of the grid between them. A thread updates several elements or none.
__global__ void steps(unsigned* a, unsigned* b, unsigned n, int rounds) {
  const auto grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    const unsigned* from = round % 2 ? b : a;
    unsigned* to = round % 2 ? a : b;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) to[i] = mix(from[i], from[(i + 1) % n]);
    grid.sync();
  }
}

// Barriers of the block and of the grid, values that live across both, and lanes that return between them.
__global__ void returns(unsigned* values, unsigned* sums, unsigned* out, unsigned stay) {
  __shared__ unsigned shared[most_threads];
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  const unsigned rank = block.thread_rank(), all = static_cast<unsigned>(grid.thread_rank());
  const unsigned own = mix(all, 5);
  shared[rank] = own;
  block.sync();
  if (rank >= stay) return;
  values[all] = shared[block.size() - 1 - rank] + rank;
  grid.sync();
  const unsigned other = values[(blockIdx.x + 1) % gridDim.x * block.size() + rank];
  if (rank % 5 == 4) return;
  block.sync();
  shared[rank] = other;
  block.sync();
  if (rank == 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < stay; ++i) sum += i % 5 == 4 ? 0 : shared[i];
    sums[blockIdx.x] = sum;
  }
  grid.sync();
  unsigned sum = own + other;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += sums[i] * (i + 1);
  out[all] = sum;
}

// Blocks, and the turns of a loop, reach the barrier of the grid by different branches.
__global__ void branches(unsigned* values, unsigned* out, unsigned turns) {
  const auto grid = cg::this_grid();
  const unsigned all = static_cast<unsigned>(grid.thread_rank());
  unsigned sum = 0;
  for (unsigned turn = 0; turn < turns; ++turn) {
    if (blockIdx.x % 2 == turn % 2) {
      values[all] = mix(all, turn);
      grid.sync();
    } else {
      values[all] = 3 * all + turn;
      __syncthreads();
      grid.sync();
    }
    sum += values[(all + turn * blockDim.x + 1) % static_cast<unsigned>(grid.size())];
    if (grid.is_valid()) grid.sync();
  }
  out[all] = sum;
}

__global__ void __cluster_dims__(2, 1, 1) neighbours(unsigned* out) {
  __shared__ unsigned shared[most_threads];
  const auto cluster = cg::this_cluster();
  const unsigned rank = cg::this_thread_block().thread_rank();
  shared[rank] = mix(blockIdx.x, rank);
  cluster.sync();
  const unsigned* other = cluster.map_shared_rank(shared, cluster.block_rank() ^ 1);
  const unsigned value = other[rank];
  cluster.sync();
  out[blockIdx.x * blockDim.x * blockDim.y * blockDim.z + rank] = value + shared[rank];
}

// Each grid reads what the next one has written.
__global__ void across(unsigned* values, unsigned* out) {
  const auto all = cg::this_multi_grid();
  const auto grid = cg::this_grid();
  const unsigned size = static_cast<unsigned>(grid.size()), rank = static_cast<unsigned>(grid.thread_rank());
  values[all.grid_rank() * size + rank] = mix(all.grid_rank(), rank);
  all.sync();
  out[all.grid_rank() * size + rank] = values[(all.grid_rank() + 1) % all.num_grids() * size + rank];
}

struct memory {
  unsigned *a, *b, *out, *sums;
};

template <class... Arguments>
void launch(void (*kernel)(Arguments...), unsigned blocks, dim3 block, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  EXPECT_SUCCESS(cudaLaunchCooperativeKernel(kernel, dim3(blocks), block, pointers, 0, nullptr));
  EXPECT_SUCCESS(cudaDeviceSynchronize());
}

void check_steps(const memory& m, unsigned blocks, dim3 block) {
  const unsigned threads = blocks * block.x * block.y * block.z;
  for (const unsigned n : {threads / 2 + 1, threads, 3 * threads + 7}) {
    const int rounds = 5;
    std::vector<unsigned> wanted(n), next(n);
    for (unsigned i = 0; i < n; ++i) wanted[i] = m.a[i] = mix(i, n);
    for (int round = 0; round < rounds; ++round) {
      for (unsigned i = 0; i < n; ++i) next[i] = mix(wanted[i], wanted[(i + 1) % n]);
      wanted.swap(next);
    }
    launch(steps, blocks, block, m.a, m.b, n, rounds);
    for (unsigned i = 0; i < n; ++i) expect_equal(m.b[i], wanted[i], "steps", i);
  }
}

void check_returns(const memory& m, unsigned blocks, dim3 block) {
  const unsigned threads = block.x * block.y * block.z, stay = threads - threads / 3;
  auto own = [](unsigned all) { return mix(all, 5); };
  auto value = [&](unsigned b, unsigned t) { return own(b * threads + threads - 1 - t) + t; };
  unsigned total = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    unsigned sum = 0;
    for (unsigned t = 0; t < stay; ++t) sum += t % 5 == 4 ? 0 : value((b + 1) % blocks, t);
    total += sum * (b + 1);
  }
  for (unsigned i = 0; i < blocks * threads; ++i) m.out[i] = 0;
  launch(returns, blocks, block, m.a, m.sums, m.out, stay);
  for (unsigned i = 0; i < blocks * threads; ++i) {
    const unsigned t = i % threads;
    const unsigned wanted = t < stay && t % 5 != 4 ? own(i) + value((i / threads + 1) % blocks, t) + total : 0;
    expect_equal(m.out[i], wanted, "returns", i);
  }
}

void check_branches(const memory& m, unsigned blocks, dim3 block) {
  const unsigned threads = block.x * block.y * block.z, all = blocks * threads, turns = 4;
  launch(branches, blocks, block, m.a, m.out, turns);
  for (unsigned i = 0; i < all; ++i) {
    unsigned sum = 0;
    for (unsigned turn = 0; turn < turns; ++turn) {
      const unsigned j = (i + turn * block.x + 1) % all;
      sum += j / threads % 2 == turn % 2 ? mix(j, turn) : 3 * j + turn;
    }
    expect_equal(m.out[i], sum, "branches", i);
  }
}

void check_neighbours(const memory& m, unsigned blocks, dim3 block) {
  const unsigned threads = block.x * block.y * block.z;
  neighbours<<<blocks, block>>>(m.out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < blocks * threads; ++i) {
    const unsigned b = i / threads, t = i % threads;
    expect_equal(m.out[i], mix(b, t) + mix(b ^ 1, t), "neighbours", i);
  }
}

void check_across(const memory& m, unsigned blocks, dim3 block) {
  int devices = 0;
  EXPECT_SUCCESS(cudaGetDeviceCount(&devices));
  const unsigned threads = blocks * block.x * block.y * block.z, grids = static_cast<unsigned>(devices);
  unsigned *values = m.a, *out = m.out;
  void* arguments[] = {&values, &out};
  std::vector<cudaLaunchParams> launches(grids);
  for (int d = 0; d < devices; ++d) {
    EXPECT_SUCCESS(cudaSetDevice(d));
    cudaStream_t stream;
    EXPECT_SUCCESS(cudaStreamCreate(&stream));
    launches[d] = {reinterpret_cast<void*>(across), dim3(blocks), block, arguments, 0, stream};
  }
  EXPECT_SUCCESS(cudaLaunchCooperativeKernelMultiDevice(launches.data(), grids));
  for (int d = 0; d < devices; ++d) {
    EXPECT_SUCCESS(cudaSetDevice(d));
    EXPECT_SUCCESS(cudaStreamSynchronize(launches[d].stream));
    EXPECT_SUCCESS(cudaStreamDestroy(launches[d].stream));
  }
  EXPECT_SUCCESS(cudaSetDevice(0));
  for (unsigned i = 0; i < grids * threads; ++i) {
    expect_equal(m.out[i], mix((i / threads + 1) % grids, i % threads), "across", i);
  }
}

int main() {
  constexpr size_t bytes = (4 * most_blocks * most_threads + 64) * sizeof(unsigned);
  memory m;
  for (unsigned** p : {&m.a, &m.b, &m.out, &m.sums}) EXPECT_SUCCESS(cudaMallocManaged(p, bytes));
  for (const dim3 block :
       {dim3(1), dim3(33), dim3(64), dim3(100), dim3(256), dim3(16, 6), dim3(32, 8), dim3(7, 5, 3)}) {
    for (const unsigned blocks : {1u, 2u, 3u, most_blocks}) {
      check_steps(m, blocks, block);
      check_returns(m, blocks, block);
      check_branches(m, blocks, block);
      check_across(m, blocks < 3 ? blocks : 2, block);
      if (blocks % 2 == 0) check_neighbours(m, blocks, block);
    }
  }
  check_returns(m, 2, dim3(1024));
  return result();
}
