// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches by kernels.
#include <cstring>
#include <memory>

#include <cohort/base/cuda_error.hpp>

#include "runtime/device_runtime/kernel_call.hpp"
#include "runtime/launch/kernel_operation.hpp"
#include "runtime/launch/launch.hpp"
#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

namespace {

constexpr const char* private_memories[] = {"", "the shared memory of the parent's block",
                                            "a local variable of the parent"};

// An argument that is the address of memory that the child cannot access.
struct private_argument {
  uint32_t number = 0;
  int memory = 0;  // index in private_memories of the memory at the address; 0: no such argument was found
};

// Only arguments with the size of a pointer are compared. A structure is not, because it has padding.
private_argument find_private_argument(const cohort_kernel& kernel, void** arguments) {
  for (uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const void* pointer = nullptr;
    if (kernel.parameter_bytes[i] != sizeof pointer) continue;
    std::memcpy(&pointer, arguments[i], sizeof pointer);
    if (const int memory = cohort_private_memory(pointer)) return {i, memory};
  }
  return {};
}

cohort_launcher this_launcher(const operation& grid) {
  cohort_launcher launcher{};
  if (const auto* const kernel = dynamic_cast<const kernel_operation*>(&grid))
    launcher.kernel = kernel->launch().kernel;
  for (int axis = 0; axis < 3; ++axis) {
    launcher.block[axis] = cohort_block_index(axis);
    launcher.thread[axis] = cohort_current_thread->thread_index[axis];
  }
  return launcher;
}

cudaError_t launch_from_kernel(const void* stub, const cohort_launch_shape& shape, void** arguments, grid_work& work,
                               private_argument* refused) {
  function* called = nullptr;
  cudaError_t error = symbol_table::instance().find_device_function(stub, &called);
  if (error != cudaSuccess) return error;
  const launch_request request{stub,
                               dim3(shape.grid[0], shape.grid[1], shape.grid[2]),
                               dim3(shape.block[0], shape.block[1], shape.block[2]),
                               arguments,
                               shape.dynamic_shared_bytes,
                               static_cast<cudaStream_t>(shape.stream)};
  cohort_launch described;
  error = describe_launch(request, *called, current_device().index, &described);
  if (error != cudaSuccess) return error;
  *refused = find_private_argument(*called->kernel, arguments);
  if (refused->memory) return cudaErrorInvalidValue;
  const auto op = std::make_shared<kernel_operation>(stub, *called, described, arguments, this_launcher(work.grid()));
  return work.submit(request.stream, this_device_thread(), op);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" void cohort_launch_kernel(const void* stub, const cohort_launch_shape* shape, void** arguments) {
  const void* const place = __builtin_return_address(0);
  private_argument refused;
  grid_call([&](grid_work& work) { return launch_from_kernel(stub, *shape, arguments, work, &refused); });
  // Stands after the runtime's call, which restores this OS thread's device and error: a failed thread never returns.
  if (refused.memory) {
    cohort_fail_at(place, cohort::error_invalid_value,
                   "argument %u of a launch points to %s, which a child grid cannot access; pass global memory",
                   refused.number, private_memories[refused.memory]);
  }
}
