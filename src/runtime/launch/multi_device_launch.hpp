// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One cooperative launch on several devices: one grid on each, which start and end together.
#pragma once

#include <vector>

#include "launch.hpp"

namespace cohort::runtime {

// `grids` has one request for each device, each in a stream of its device; all are cooperative. Nothing is launched
// unless everything can be. pre: within a device_call
cudaError_t launch_together(const std::vector<launch_request>& grids, unsigned flags);

}  // namespace cohort::runtime
