// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Occupancy of clusters: how many the virtual device holds at once, and how large they can be.
#include <algorithm>

#include "runtime/launch/cluster.hpp"
#include "runtime/launch/launch.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

// The number of resident clusters of `blocks` blocks each, for a grid of any size.
int clusters_of(function& f, uint32_t threads, size_t dynamic_bytes, uint64_t blocks) {
  const int device = current_device().index;
  if (dynamic_bytes > f.on(device).max_dynamic_shared) return 0;
  return cohort_max_clusters(f.kernel, device, threads, dynamic_bytes, static_cast<uint32_t>(blocks));
}

// The number of threads of a block of `config`; 0 for an invalid block.
uint32_t threads_of(const cudaLaunchConfig_t& config) {
  const dim3& b = config.blockDim;
  const int most = cohort_device_get(current_device().index)->max_threads_per_block;
  const auto limit = static_cast<unsigned>(most);
  if (b.x > limit || b.y > limit || b.z > limit || uint64_t{b.x} * b.y * b.z > limit) return 0;
  return b.x * b.y * b.z;
}

template <class Body>
cudaError_t cluster_call(int* result, const void* stub, const cudaLaunchConfig_t* config, Body&& body) {
  return device_call([&] {
    function* f = nullptr;
    if (!result || !config) return cudaErrorInvalidValue;
    if (const cudaError_t error = symbol_table::instance().find_function(stub, &f); error != cudaSuccess) return error;
    launch_request asked{stub, config->gridDim, config->blockDim, nullptr, config->dynamicSmemBytes, config->stream};
    if (const cudaError_t error = apply_attributes(*config, &asked); error != cudaSuccess) return error;
    const uint32_t threads = threads_of(*config);
    return threads == 0 ? cudaErrorInvalidValue : body(*f, threads, asked);
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* stub, const cudaLaunchConfig_t* config) {
  return cluster_call(clusters, stub, config, [&](function& f, uint32_t threads, const launch_request& asked) {
    const extent grid{asked.grid.x, asked.grid.y, asked.grid.z};
    extent cluster;
    const cudaError_t error = find_cluster(f, current_device().index, grid, asked.cluster, &cluster);
    if (error == cudaSuccess)
      *clusters = clusters_of(f, threads, asked.dynamic_shared_bytes, std::max<uint64_t>(cluster.size(), 1));
    return error;
  });
}

// Ignores the cluster of `config`. The result is the kernel's required cluster, else the largest one that fits.
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* stub, const cudaLaunchConfig_t* config) {
  return cluster_call(blocks, stub, config, [&](function& f, uint32_t threads, const launch_request& asked) {
    const int device = current_device().index;
    const uint64_t most = most_cluster_blocks(f, device);
    const extent required = required_cluster(f, device);
    if (required != extent{} && (required.has_zero() || required.size() > most)) return cudaErrorInvalidClusterSize;
    uint64_t size = required != extent{} ? required.size() : most;
    while (size > 0 && clusters_of(f, threads, asked.dynamic_shared_bytes, size) < 1) {
      size = required != extent{} ? 0 : size - 1;
    }
    *blocks = static_cast<int>(size);
    return cudaSuccess;
  });
}

}  // extern "C"
