// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one way in which every form of launch ends.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct launch_request {
  const void* function;
  dim3 grid;
  dim3 block;
  void** arguments;
  size_t dynamic_shared_bytes;
  cudaStream_t stream;
  bool cooperative = false;
  int priority = 0;  // added to the stream's
};

// Checks the launch, copies its arguments, appends it to its stream. pre: within a device_call.
cudaError_t launch(const launch_request& request);

}  // namespace cohort::runtime
