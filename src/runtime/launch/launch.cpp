// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/launch.hpp"

#include <memory>

#include "runtime/launch/kernel_operation.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/tools/tool_port.hpp"

namespace cohort::runtime {

namespace {

// Links the interface for tools into each program with kernels: the checker's archive may be last on the command line,
// as with CMake, after all files that could refer to it.
[[gnu::used]] const auto tools = cohort::tools::follow_operations;

void copy_extent(uint32_t (&to)[3], const extent& from) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

extent extent_of(const dim3& d) { return {d.x, d.y, d.z}; }

}  // namespace

cudaError_t find_launched(const void* name, function** found) {
  if (!name) return cudaErrorInvalidDeviceFunction;
  // CUDA's launches return cudaErrorInvalidResourceHandle for an unknown kernel, its other calls
  // cudaErrorInvalidDeviceFunction.
  const cudaError_t error = symbol_table::instance().find_function(name, found);
  return error == cudaErrorInvalidDeviceFunction ? cudaErrorInvalidResourceHandle : error;
}

cudaError_t describe_launch(const launch_request& request, function& called, int device, cohort_launch* described) {
  extent cluster;
  cudaError_t error = find_cluster(called, device, extent_of(request.grid), request.cluster, &cluster);
  if (error != cudaSuccess) return error;
  *described = cohort_launch{};
  described->kernel = called.kernel;
  copy_extent(described->grid, extent_of(request.grid));
  copy_extent(described->block, extent_of(request.block));
  copy_extent(described->cluster, cluster);
  described->dynamic_shared_bytes = request.dynamic_shared_bytes;
  described->cooperative = request.cooperative;
  described->device = device;
  described->sm_count = request.sm_count;
  error = static_cast<cudaError_t>(cohort_check_launch(described));
  if (error != cudaSuccess) return error;
  if (request.dynamic_shared_bytes > called.on(device).max_dynamic_shared) {
    return request.cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidValue;
  }
  return called.kernel->parameter_count > 0 && !request.arguments ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t make_kernel_operation(const launch_request& request, int device, operation_ref* made) {
  function* called = nullptr;
  cudaError_t error = find_launched(request.function, &called);
  if (error != cudaSuccess) return error;
  cohort_launch described;
  error = describe_launch(request, *called, device, &described);
  if (error != cudaSuccess) return error;
  const auto op =
      std::make_shared<kernel_operation>(request.function, *called, described, request.arguments, request.priority);
  if (request.cluster.has_size) op->choose_cluster(described.cluster);
  *made = op;
  return cudaSuccess;
}

cudaError_t launch(const launch_request& request) {
  if (!request.function) return cudaErrorInvalidDeviceFunction;
  stream* s = nullptr;
  cudaError_t error = find_stream(request.stream, &s);
  if (error != cudaSuccess) return error;
  // CUDA refuses a launch into a stream of another device than the current one.
  if (s->device != &current_device()) return cudaErrorInvalidResourceHandle;
  launch_request within = request;
  within.sm_count = s->green ? s->green->sm_count : 0;
  operation_ref op;
  error = make_kernel_operation(within, s->device->index, &op);
  return error != cudaSuccess ? error : scheduler::instance().submit(*s, op);
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return device_call([&] { return launch({function, grid, block, arguments, shared_bytes, stream}); });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return device_call([&] { return launch({function, grid, block, arguments, shared_bytes, stream, true}); });
}

}  // extern "C"
