// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/cluster.hpp"

#include <algorithm>

namespace cohort::runtime {

namespace {

bool divides(const extent& part, const extent& total) {
  return total.x % part.x == 0 && total.y % part.y == 0 && total.z % part.z == 0;
}

bool fits(const extent& cluster, const extent& grid, uint64_t most) {
  return !cluster.has_zero() && std::max({cluster.x, cluster.y, cluster.z}) <= most && cluster.size() <= most &&
         divides(cluster, grid);
}

}  // namespace

uint64_t most_cluster_blocks(function& f, int device) {
  const auto most = static_cast<uint64_t>(cohort_device_get(device)->max_cluster_blocks);
  return f.on(device).non_portable_cluster ? most : std::min(most, portable_cluster_blocks);
}

extent required_cluster(function& f, int device) {
  const uint32_t* const compiled = f.kernel->cluster_dim;
  if (compiled[0] || compiled[1] || compiled[2]) return {compiled[0], compiled[1], compiled[2]};
  const auto& set = f.on(device).required_cluster;
  return {set[0], set[1], set[2]};
}

cudaError_t find_cluster(function& f, int device, const extent& grid, const cluster_request& asked, extent* cluster) {
  const extent required = required_cluster(f, device);
  const bool is_required = required != extent{};
  if (asked.has_size && is_required && asked.size != required) return cudaErrorInvalidClusterSize;
  *cluster = asked.has_size ? asked.size : required;
  const bool is_given = asked.has_size || is_required;
  const extent blocks = is_given ? *cluster : extent{1, 1, 1};
  const uint64_t most = most_cluster_blocks(f, device);
  if (!fits(blocks, grid, most)) return cudaErrorInvalidClusterSize;
  // The preferred size is a hint, so the regular size is correct. Only an invalid preferred size is an error.
  if (!asked.has_preferred) return cudaSuccess;
  const bool can_be_preferred = fits(asked.preferred, grid, most) && divides(blocks, asked.preferred);
  return can_be_preferred ? cudaSuccess : cudaErrorInvalidClusterSize;
}

}  // namespace cohort::runtime
