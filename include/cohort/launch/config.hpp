// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of a launch.
#pragma once

#include <stddef.h>

#include "../base/dim3.hpp"

namespace cohort {

// As the grid of a cooperative launch: as many blocks as are resident at once on the device with this block size and
// shared memory, whole clusters, in a row along x. The kernel finds the number in gridDim, or in this_grid().
inline constexpr dim3 largest_grid{0xffffffffu, 0xffffffffu, 0xffffffffu};

// The shape of a launch. `shared_bytes` is the dynamic shared memory of each block.
struct config {
  dim3 grid;   // blocks, or largest_grid in a cooperative launch
  dim3 block;  // threads of a block
  size_t shared_bytes = 0;
  int device = -1;               // -1: the current device of CUDA sources, device 0 in plain C++
  dim3 cluster = dim3(0, 0, 0);  // blocks of a cluster; zero: what the kernel says, else one block
  void* stream = nullptr;        // the cudaStream_t in CUDA sources; null in plain C++, where launches have no stream
};

// An argument of launch_multi_device that differs from device to device: values[i] goes to the i-th.
template <class T>
struct per_device {
  constexpr explicit per_device(const T* of_devices) : values(of_devices) {}
  const T* values;
};

}  // namespace cohort
