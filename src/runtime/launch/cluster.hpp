// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks form a cluster in a launch, and whether CUDA allows it.
#pragma once

#include "../module/symbol_table.hpp"

namespace cohort::runtime {

struct extent {
  uint32_t x = 0, y = 0, z = 0;

  uint64_t size() const { return static_cast<uint64_t>(x) * y * z; }
  bool has_zero() const { return x == 0 || y == 0 || z == 0; }
  bool operator==(const extent&) const = default;
};

// What the attributes of a launch say.
struct cluster_request {
  bool given = false;  // cudaLaunchAttributeClusterDimension
  extent size;
  bool preferred_given = false;  // cudaLaunchAttributePreferredClusterDimension
  extent preferred;
};

// The largest cluster that every device can run; more needs cudaFuncAttributeNonPortableClusterSizeAllowed.
constexpr uint64_t portable_cluster_blocks = 8;

// Most blocks of a cluster for `f` on `device`.
uint64_t most_cluster_blocks(function& f, int device);
// What `f` was compiled with (__cluster_dims__), else what was set on it for `device`; zeros where neither is.
extent required_cluster(function& f, int device);
// The cluster of a launch of `f`: the attribute's, else the kernel's own, else one block. cudaErrorInvalidClusterSize
// where the two differ, where one is no cluster, too large, or no divisor of the grid.
cudaError_t find_cluster(function& f, int device, const extent& grid, const cluster_request& asked, extent* cluster);

}  // namespace cohort::runtime
