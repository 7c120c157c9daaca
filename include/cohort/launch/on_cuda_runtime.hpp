// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches in CUDA sources are made of: calls of the CUDA runtime API and of nothing else.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#include "../base/grid_workspace.hpp"
#include "config.hpp"
#include "error.hpp"
#include "parameters.hpp"

namespace cohort {
namespace detail {

// What the runtime knows a kernel by: the address of its function.
using kernel_handle = const void*;
template <class... P, class... List>
kernel_handle describe(void (*const& kernel)(P...), type_list<List...>) {
  return reinterpret_cast<const void*>(kernel);
}

inline cudaStream_t stream_of(const config& c) { return static_cast<cudaStream_t>(c.stream); }

// Makes another device current for a while.
class on_device {
 public:
  explicit on_device(int device) {
    if (device < 0) return;
    result_ = cudaGetDevice(&before_);
    if (result_ == cudaSuccess) result_ = cudaSetDevice(device);
  }
  on_device(const on_device&) = delete;
  ~on_device() {
    if (before_ >= 0) static_cast<void>(cudaSetDevice(before_));
  }
  cudaError_t result() const { return result_; }

 private:
  int before_ = -1;
  cudaError_t result_ = cudaSuccess;
};

// The runtime's form of a launch; it holds its attributes, so it is not copied.
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

// Blocks of a cluster: what the launch says, else the kernel's __cluster_dims__.
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

// Blocks of this shape that are resident at once.
inline uint64_t resident_blocks(kernel_handle kernel, const config& c) {
  const on_device there(c.device);
  if (there.result() != cudaSuccess) return 0;
  int count = 0;
  const dim3 extent = cluster_of(kernel, c);
  const uint64_t cluster = uint64_t{extent.x} * extent.y * extent.z;
  if (cluster > 1) {
    config one = c;
    one.grid = one.cluster = extent;
    const runtime_launch asked(one, false);
    if (cudaOccupancyMaxActiveClusters(&count, kernel, asked.get()) != cudaSuccess) return 0;
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

// pointers[0] is not the runtime's business, then comes one address for each parameter. An error number.
inline int run_launch(kernel_handle kernel, const config& c, bool cooperative, void** pointers) {
  const on_device there(c.device);
  if (there.result() != cudaSuccess) return static_cast<int>(there.result());
  const runtime_launch launch(c, cooperative);
  return static_cast<int>(cudaLaunchKernelExC(launch.get(), kernel, pointers + 1));
}

inline int count_devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

// CUDA 13 has no launch over several devices any more.
#if defined(cudaCooperativeLaunchMultiDeviceNoPreSync)
// pointers[i]: as above, for device i. Returns when all grids have ended.
inline int run_multi_device(kernel_handle kernel, const config& c, int devices, void** const* pointers) {
  cudaLaunchParams launches[max_devices] = {};
  cudaError_t result = cudaSuccess;
  int made = 0;
  for (; made < devices && result == cudaSuccess; ++made) {
    const on_device there(made);
    launches[made].func = const_cast<void*>(kernel);
    launches[made].gridDim = c.grid;
    launches[made].blockDim = c.block;
    launches[made].args = pointers[made] + 1;
    launches[made].sharedMem = c.shared_bytes;
    result = there.result() != cudaSuccess ? there.result() : cudaStreamCreate(&launches[made].stream);
  }
  if (result == cudaSuccess) {
    result = cudaLaunchCooperativeKernelMultiDevice(launches, static_cast<unsigned int>(devices), 0);
  }
  for (int i = 0; i < made; ++i) {
    if (launches[i].stream == nullptr) continue;
    const on_device there(i);
    const cudaError_t ended = cudaStreamSynchronize(launches[i].stream);
    if (result == cudaSuccess) result = ended;
    static_cast<void>(cudaStreamDestroy(launches[i].stream));
  }
  return static_cast<int>(result);
}
#endif

// Zeroed memory that belongs to one launch: made and freed in the order of the launch's stream.
class launch_memory {
 public:
  launch_memory() = default;
  launch_memory(const launch_memory&) = delete;
  ~launch_memory() {
    if (address_ == nullptr) return;
    const on_device there(device_);
    static_cast<void>(cudaFreeAsync(address_, stream_));
  }
  // An error number.
  int make(const config& c, size_t bytes, size_t /*alignment*/) {  // the allocator's own is 256
    device_ = c.device;
    stream_ = stream_of(c);
    const on_device there(device_);
    cudaError_t result = there.result();
    if (result == cudaSuccess) result = cudaMallocAsync(&address_, bytes, stream_);
    if (result != cudaSuccess) {
      address_ = nullptr;
      return static_cast<int>(result);
    }
    return static_cast<int>(cudaMemsetAsync(address_, 0, bytes, stream_));
  }
  void* address() const { return address_; }

 private:
  int device_ = -1;
  cudaStream_t stream_ = nullptr;
  void* address_ = nullptr;
};

}  // namespace detail
}  // namespace cohort
