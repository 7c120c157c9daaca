// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches over several devices in Cohort's own runtime, on the CPU. CUDA had the first call until version 12.
#pragma once

#include <cuda_runtime.h>

#include "runtime_api.hpp"

namespace cohort {
namespace detail {
namespace api {

// One grid of a launch, on the device of its stream.
using grid_launch = cudaLaunchParams;

inline error launch_on_devices(grid_launch* launches, unsigned int count) {
  return cudaLaunchCooperativeKernelMultiDevice(launches, count, 0);
}

}  // namespace api
}  // namespace detail
}  // namespace cohort
