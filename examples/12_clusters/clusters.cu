// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram whose bins do not fit into the shared memory of one block. The blocks of a cluster are resident together
// and can access each other's shared memory, so the bins are distributed over the blocks of the cluster.
#include <cooperative_groups.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 128;

// Each block has `bins_per_block` counters in its dynamic shared memory. Bin b is counter b % bins_per_block of the
// block with rank b / bins_per_block in the cluster.
__global__ void count_values(const unsigned* data, long long count, unsigned bins, unsigned bins_per_block,
                             unsigned* totals) {
  extern __shared__ unsigned part[];
  const cg::cluster_group cluster = cg::this_cluster();
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  for (unsigned b = block.thread_rank(); b < bins_per_block; b += block.size()) part[b] = 0;
  cluster.sync();  // every block of the cluster is running and has zeroed its counters

  //! [map_shared_rank]
  for (long long i = static_cast<long long>(grid.thread_rank()); i < count; i += static_cast<long long>(grid.size())) {
    const unsigned bin = data[i] % bins;
    unsigned* const remote = cluster.map_shared_rank(part, static_cast<int>(bin / bins_per_block));
    atomicAdd(&remote[bin % bins_per_block], 1u);
  }
  cluster.sync();  // all blocks of the cluster have finished counting
  //! [map_shared_rank]

  const unsigned first = cluster.block_rank() * bins_per_block;
  for (unsigned b = block.thread_rank(); b < bins_per_block; b += block.size()) {
    if (first + b < bins && part[b] != 0) atomicAdd(&totals[first + b], part[b]);
  }
}

int main(int argc, char** argv) {
  long long elements = 1000000, bins = 40000, blocks = 4, cluster = 0;
  example::options("clusters", "a histogram in the shared memory of several blocks")
      .number("--elements", elements, 1, 1000000000, "values to count")
      .number("--bins", bins, 1, 90000, "bins")
      .number("--clusters", blocks, 1, 1000, "clusters of the grid")
      .number("--blocks", cluster, 0, 8, "blocks of a cluster; 0 is as few as hold the bins")
      .parse(argc, argv);

  int device = 0, supported = 0, block_bytes = 0;
  EXAMPLE_CHECK(cudaGetDevice(&device));
  EXAMPLE_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrClusterLaunch, device));
  EXAMPLE_CHECK(cudaDeviceGetAttribute(&block_bytes, cudaDevAttrMaxSharedMemoryPerBlock, device));
  if (!supported) {
    std::fprintf(stderr, "clusters: the device has no clusters\n");
    return 1;
  }
  const long long most_bins = block_bytes / static_cast<long long>(sizeof(unsigned));
  if (cluster == 0) cluster = (bins + most_bins - 1) / most_bins;
  const long long per_block = (bins + cluster - 1) / cluster;
  if (cluster > 8 || per_block > most_bins) {
    std::fprintf(stderr, "clusters: %lld bins do not fit into %lld blocks of %d bytes\n", bins, cluster, block_bytes);
    return 1;
  }

  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = static_cast<unsigned>(cluster);
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks * cluster));
  config.blockDim = dim3(block_threads);
  config.dynamicSmemBytes = static_cast<size_t>(per_block) * sizeof(unsigned);
  config.attrs = &attribute;
  config.numAttrs = 1;
  int active = 0, largest = 0;
  EXAMPLE_CHECK(cudaOccupancyMaxActiveClusters(&active, count_values, &config));
  EXAMPLE_CHECK(cudaOccupancyMaxPotentialClusterSize(&largest, count_values, &config));
  std::printf("%lld bins in clusters of %lld blocks, %lld bins each; %d such clusters at once, up to %d blocks\n", bins,
              cluster, per_block, active, largest);

  std::vector<unsigned> data(static_cast<size_t>(elements));
  std::vector<unsigned> expected(static_cast<size_t>(bins), 0);
  uint32_t state = 12;
  for (unsigned& value : data) {
    state = state * 1664525u + 1013904223u;
    value = state >> 8;
    ++expected[value % static_cast<unsigned>(bins)];
  }
  example::device_array<unsigned> d_data(data);
  example::device_array<unsigned> d_totals(static_cast<size_t>(bins));
  EXAMPLE_CHECK(cudaLaunchKernelEx(&config, count_values, d_data.get(), elements, static_cast<unsigned>(bins),
                                   static_cast<unsigned>(per_block), d_totals.get()));
  EXAMPLE_CHECK_LAUNCH();
  bool right = d_totals.to_host() == expected;

  // The number of blocks must be a multiple of the cluster size.
  attribute.val.clusterDim.x = 2;
  config.gridDim = dim3(3);
  const cudaError_t refused =
      cudaLaunchKernelEx(&config, count_values, d_data.get(), elements, static_cast<unsigned>(bins),
                         static_cast<unsigned>(per_block), d_totals.get());
  std::printf("3 blocks in clusters of 2: %s\n", cudaGetErrorName(refused));
  cudaGetLastError();
  right = right && refused == cudaErrorInvalidClusterSize;
  return example::verdict(right, "every count; a cluster that does not divide the grid is refused");
}
