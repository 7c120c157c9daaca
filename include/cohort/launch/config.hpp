// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of a launch.
#pragma once

#include <stddef.h>

#include "../base/dim3.hpp"

namespace cohort {

/// The grid of a cooperative launch that has as many blocks as are resident at once on the device, with the launch's
/// block size, shared memory and cluster. The blocks form full clusters in a row along x. The kernel reads their number
/// from `gridDim` or `this_grid().num_blocks()`.
inline constexpr dim3 largest_grid{0xffffffffu, 0xffffffffu, 0xffffffffu};

/// The shape of a launch, its device and its stream.
struct config {
  dim3 grid;                     ///< extent of the grid in blocks; largest_grid in cooperative launches only
  dim3 block;                    ///< extent of a block in threads
  size_t shared_bytes = 0;       ///< dynamic shared memory of each block
  int device = -1;               ///< number of the device; -1: the current device, in plain C++ device 0
  dim3 cluster = dim3(0, 0, 0);  ///< extent of a cluster in blocks; zero: the kernel's `__cluster_dims__`, else 1
  void* stream = nullptr;        ///< the `cudaStream_t` in CUDA sources; null in plain C++, which has no streams
};

/// An argument of launch_multi_device() with a value for each device: device i gets `values[i]`.
/// @tparam T  type of the value, converted to the kernel's parameter
template <class T>
struct per_device {
  /// @param of_devices  array with one value for each device of the launch; not copied, read during the call
  constexpr explicit per_device(const T* of_devices) : values(of_devices) {}
  const T* values;  ///< one value for each device
};

}  // namespace cohort
