// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch on one device through the CUDA runtime API, and the number of blocks that fit.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#include "../config.hpp"
#include "device_guard.hpp"

namespace cohort {
namespace detail {

// A kernel, as the runtime identifies it: the address of its host function.
using kernel_handle = const void*;

inline cudaStream_t stream_of(const config& c) { return static_cast<cudaStream_t>(c.stream); }

// The runtime's form of a launch. Not copied: the configuration points to the attributes.
class runtime_launch {
 public:
  runtime_launch(const config& c, bool cooperative) {
    config_.gridDim = c.grid;
    config_.blockDim = c.block;
    config_.dynamicSmemBytes = c.shared_bytes;
    config_.stream = stream_of(c);
    config_.attrs = attributes_;
    if (cooperative) {
      attributes_[config_.numAttrs].id = cudaLaunchAttributeCooperative;
      attributes_[config_.numAttrs++].val.cooperative = 1;
    }
    if (c.cluster.x != 0 || c.cluster.y != 0 || c.cluster.z != 0) {
      attributes_[config_.numAttrs].id = cudaLaunchAttributeClusterDimension;
      attributes_[config_.numAttrs].val.clusterDim.x = c.cluster.x;
      attributes_[config_.numAttrs].val.clusterDim.y = c.cluster.y;
      attributes_[config_.numAttrs++].val.clusterDim.z = c.cluster.z;
    }
  }
  runtime_launch(const runtime_launch&) = delete;
  const cudaLaunchConfig_t* get() const { return &config_; }

 private:
  cudaLaunchAttribute attributes_[2] = {};
  cudaLaunchConfig_t config_ = {};
};

// Extent of a cluster in blocks: the config's, else the kernel's __cluster_dims__.
inline dim3 cluster_of(kernel_handle kernel, const config& c) {
  cudaFuncAttributes of_kernel;
  if (c.cluster.x != 0 || c.cluster.y != 0 || c.cluster.z != 0 ||
      ::cudaFuncGetAttributes(&of_kernel, kernel) != cudaSuccess) {
    return c.cluster;
  }
  return dim3(static_cast<unsigned int>(of_kernel.requiredClusterWidth),
              static_cast<unsigned int>(of_kernel.requiredClusterHeight),
              static_cast<unsigned int>(of_kernel.requiredClusterDepth));
}

// Number of blocks of the config's shape that are resident at once on its device. 0 for an invalid shape.
inline uint64_t resident_blocks(kernel_handle kernel, const config& c) {
  const device_guard current(c.device);
  if (current.result() != cudaSuccess) return 0;
  int count = 0;
  const dim3 extent = cluster_of(kernel, c);
  const uint64_t cluster = uint64_t{extent.x} * extent.y * extent.z;
  if (cluster > 1) {
    config one = c;
    one.grid = one.cluster = extent;
    const runtime_launch single(one, false);
    if (cudaOccupancyMaxActiveClusters(&count, kernel, single.get()) != cudaSuccess) return 0;
    return static_cast<uint64_t>(count) * cluster;
  }
  int device = 0, multiprocessors = 0;
  const uint64_t threads = uint64_t{c.block.x} * c.block.y * c.block.z;
  if (threads == 0 || threads > 1024 || cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, static_cast<int>(threads), c.shared_bytes) !=
          cudaSuccess) {
    return 0;
  }
  return static_cast<uint64_t>(count) * static_cast<uint64_t>(multiprocessors);
}

// Launches the kernel on the config's device. `arguments` holds the address of each parameter.
inline cudaError_t launch_kernel(kernel_handle kernel, const config& c, bool cooperative, void** arguments) {
  const device_guard current(c.device);
  if (current.result() != cudaSuccess) return current.result();
  const runtime_launch launch(c, cooperative);
  return cudaLaunchKernelExC(launch.get(), kernel, arguments);
}

inline cudaError_t count_devices(int* count) { return cudaGetDeviceCount(count); }

}  // namespace detail
}  // namespace cohort
