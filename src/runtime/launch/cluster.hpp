// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size of the clusters of a launch, and CUDA's rules for it.
#pragma once

#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

struct extent {
  uint32_t x = 0, y = 0, z = 0;

  uint64_t size() const { return static_cast<uint64_t>(x) * y * z; }
  bool has_zero() const { return x == 0 || y == 0 || z == 0; }
  bool operator==(const extent&) const = default;
};

// The cluster attributes of a launch.
struct cluster_request {
  bool has_size = false;  // cudaLaunchAttributeClusterDimension
  extent size;
  bool has_preferred = false;  // cudaLaunchAttributePreferredClusterDimension
  extent preferred;
};

// The largest cluster that every device supports. Larger ones need cudaFuncAttributeNonPortableClusterSizeAllowed.
constexpr uint64_t portable_cluster_blocks = 8;

// The maximum number of blocks of a cluster for `f` on `device`.
uint64_t most_cluster_blocks(function& f, int device);
// The cluster that `f` requires: its __cluster_dims__, else the attribute set on `f` for `device`, else zeros.
extent required_cluster(function& f, int device);
// Writes the cluster of a launch of `f`: the launch attribute's, else the required one, else zeros, for one block.
// cudaErrorInvalidClusterSize if both are given and differ, or if the cluster has a zero, is too large, or does not
// divide the grid.
cudaError_t find_cluster(function& f, int device, const extent& grid, const cluster_request& asked, extent* cluster);

}  // namespace cohort::runtime
