// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of other blocks of the cluster to a block's shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace cohort::check {

// A thread of another block, and the place of its access.
struct cluster_accessor {
  uint32_t block;  // rank in the grid
  uint32_t thread;
  uint64_t place;  // return address and size, as in record::place
  uint8_t flags;
  bool operator==(const cluster_accessor&) const = default;
};
struct hash_of_cluster_accessor {
  size_t operator()(const cluster_accessor& a) const {
    return (a.place ^ uint64_t{a.block} << 40 ^ uint64_t{a.thread} << 20) * 0x9e3779b97f4a7c15u >> 16;
  }
};
// The latest access of an accessor.
struct cluster_access {
  uintptr_t address;
  uint32_t tick, outer;  // counts of the accessor's block at the access
};

// The accesses to one block's shared memory since the last barrier of its cluster.
using cluster_access_table = std::unordered_map<cluster_accessor, cluster_access, hash_of_cluster_accessor>;

}  // namespace cohort::check
