// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch on one device through the CUDA runtime API, and the number of blocks that fit.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../config.hpp"
#include "../api/runtime_api.hpp"
#include "device_guard.hpp"

namespace cohort {
namespace detail {

// A kernel, as the runtime identifies it: the address of its host function.
using kernel_handle = const void*;

inline api::stream stream_of(const config& c) { return static_cast<api::stream>(c.stream); }

inline api::shaped_launch shape_of(const config& c, bool cooperative) {
  return api::shaped_launch(c.grid, c.block, c.shared_bytes, stream_of(c), cooperative, c.cluster);
}

// Extent of a cluster in blocks: the config's, else the kernel's __cluster_dims__.
inline dim3 cluster_of(kernel_handle kernel, const config& c) {
  api::kernel_attributes of_kernel;
  if (c.cluster.x != 0 || c.cluster.y != 0 || c.cluster.z != 0 ||
      api::get_attributes(&of_kernel, kernel) != api::success) {
    return c.cluster;
  }
  return api::required_cluster(of_kernel);
}

// Number of blocks of the config's shape that are resident at once on its device. 0 for an invalid shape.
inline uint64_t resident_blocks(kernel_handle kernel, const config& c) {
  const device_guard current(c.device);
  if (current.result() != api::success) return 0;
  int count = 0;
  const dim3 extent = cluster_of(kernel, c);
  const uint64_t cluster = uint64_t{extent.x} * extent.y * extent.z;
  if (cluster > 1) {
    config one = c;
    one.grid = one.cluster = extent;
    if (shape_of(one, false).count_resident_clusters(&count, kernel) != api::success) return 0;
    return static_cast<uint64_t>(count) * cluster;
  }
  int device = 0, multiprocessors = 0;
  const uint64_t threads = uint64_t{c.block.x} * c.block.y * c.block.z;
  if (threads == 0 || threads > 1024 || api::get_device(&device) != api::success ||
      api::get_attribute(&multiprocessors, api::attribute::multiprocessors, device) != api::success ||
      api::count_resident_blocks(&count, kernel, static_cast<int>(threads), c.shared_bytes) != api::success) {
    return 0;
  }
  return static_cast<uint64_t>(count) * static_cast<uint64_t>(multiprocessors);
}

// Launches the kernel on the config's device. `arguments` holds the address of each parameter.
inline api::error launch_kernel(kernel_handle kernel, const config& c, bool cooperative, void** arguments) {
  const device_guard current(c.device);
  if (current.result() != api::success) return current.result();
  return shape_of(c, cooperative).start(kernel, arguments);
}

inline api::error count_devices(int* count) { return api::count_devices(count); }

}  // namespace detail
}  // namespace cohort
