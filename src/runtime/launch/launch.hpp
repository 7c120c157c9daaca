// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one way in which every form of launch ends.
#pragma once

#include <cstddef>
#include <memory>

#include "../stream/stream.hpp"
#include "cluster.hpp"
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
  cluster_request cluster = {};
};

// A kernel's parameters, copied, and the pointers to them that the engine wants. One piece of memory.
class argument_copies {
 public:
  argument_copies() = default;
  argument_copies(const cohort_kernel& kernel, void** arguments);
  void** pointers() const { return reinterpret_cast<void**>(memory_.get()); }

 private:
  struct release {
    void operator()(char* memory) const;
  };
  std::unique_ptr<char, release> memory_;
};

// Finds the kernel of a launch: cudaErrorInvalidDeviceFunction for a null pointer, cudaErrorInvalidResourceHandle for
// an address that is no kernel.
cudaError_t find_launched(const void* name, function** found);
// What the engine shall run, in `described`, whose arguments stay open. Everything that CUDA refuses is refused here.
cudaError_t describe_launch(const launch_request& request, function& called, int device, cohort_launch* described);

// Checks the launch, copies its arguments, appends it to its stream. pre: within a device_call.
cudaError_t launch(const launch_request& request);

}  // namespace cohort::runtime
