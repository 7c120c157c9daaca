// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common part of all launch calls: from a request to an operation in a stream.
#pragma once

#include <cohort/machine/cpu/world_port.hpp>
#include <cstddef>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/launch/cluster.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

struct launch_request {
  const void* function;
  dim3 grid;
  dim3 block;
  void** arguments;
  size_t dynamic_shared_bytes;
  cudaStream_t stream;
  bool cooperative = false;
  int priority = 0;  // is added to the stream's priority
  cluster_request cluster = {};
  uint32_t sm_count = 0;  // multiprocessors of the stream's green context; 0: all
};

// Finds the kernel of a launch: cudaErrorInvalidDeviceFunction for a null pointer, cudaErrorInvalidResourceHandle for
// an address that is no kernel.
cudaError_t find_launched(const void* name, function** found);

// Writes the launch for the engine to `described`, without its arguments. Returns every error for which CUDA refuses a
// launch.
cudaError_t describe_launch(const launch_request& request, function& called, int device, cohort_launch* described);

// Checks the launch and copies its arguments.
cudaError_t make_kernel_operation(const launch_request& request, int device, operation_ref* made);

// Copies the attributes of cudaLaunchKernelEx from `config` to `request`. A refused attribute also prints a sentence to
// stderr.
cudaError_t apply_attributes(const cudaLaunchConfig_t& config, launch_request* request);

// Checks the launch, copies its arguments, and appends it to its stream. pre: within a device_call
cudaError_t launch(const launch_request& request);

// Launches one cooperative grid on each of several devices; the grids start and end together. `grids` has one request
// for each device, in a stream of that device. Launches all grids or none. With a world, they also start and end with
// the grids of its other processes. pre: within a device_call
cudaError_t launch_together(const std::vector<launch_request>& grids, unsigned flags, cohort_world* world);

}  // namespace cohort::runtime
