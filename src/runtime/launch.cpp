// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "error.hpp"
#include "symbol_table.hpp"

namespace cohort::runtime {

namespace {

// The kernel's parameters, copied, and the pointers to them that the engine wants. One piece of memory.
class argument_copies {
 public:
  argument_copies(const cohort_kernel& kernel, void** arguments) {
    const uint32_t count = kernel.parameter_count;
    if (count == 0) return;
    size_t bytes = count * sizeof(void*);
    for (uint32_t i = 0; i < count; ++i) bytes = place_of(bytes, kernel.parameter_bytes[i]) + kernel.parameter_bytes[i];
    memory_.reset(static_cast<char*>(::operator new(bytes, std::align_val_t{most_alignment})));
    size_t at = count * sizeof(void*);
    for (uint32_t i = 0; i < count; ++i) {
      at = place_of(at, kernel.parameter_bytes[i]);
      std::memcpy(memory_.get() + at, arguments[i], kernel.parameter_bytes[i]);
      pointers()[i] = memory_.get() + at;
      at += kernel.parameter_bytes[i];
    }
  }

  void** pointers() const { return reinterpret_cast<void**>(memory_.get()); }

 private:
  static constexpr size_t most_alignment = 128;
  // A type's size is a multiple of its alignment, so the lowest bit of the size is enough.
  static size_t place_of(size_t at, size_t bytes) {
    const size_t alignment = std::clamp(bytes & (~bytes + 1), size_t{1}, most_alignment);
    return (at + alignment - 1) / alignment * alignment;
  }
  struct release {
    void operator()(char* memory) const { ::operator delete(memory, std::align_val_t{most_alignment}); }
  };
  std::unique_ptr<char, release> memory_;
};

class kernel_operation : public operation {
 public:
  kernel_operation(const cohort_launch& launch, void** arguments)
      : operation(operation_kind::kernel), launch_(launch), arguments_(*launch.kernel, arguments) {
    launch_.arguments = arguments_.pointers();
  }

 protected:
  cudaError_t execute() override { return static_cast<cudaError_t>(cohort_run(&launch_)); }

 private:
  cohort_launch launch_;
  argument_copies arguments_;
};

void copy_extent(uint32_t (&to)[3], dim3 from) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

}  // namespace

cudaError_t launch(const launch_request& request) {
  if (!request.function) return cudaErrorInvalidDeviceFunction;
  stream* s = nullptr;
  if (const cudaError_t error = find_stream(request.stream, &s); error != cudaSuccess) return error;
  function* called = nullptr;
  cudaError_t error = symbol_table::instance().find_function(request.function, &called);
  // A handle that is no kernel is a bad handle for CUDA's launches, and a bad function for its other calls.
  if (error == cudaErrorInvalidDeviceFunction) return cudaErrorInvalidResourceHandle;
  if (error != cudaSuccess) return error;

  cohort_launch described{};
  described.kernel = called->kernel;
  copy_extent(described.grid, request.grid);
  copy_extent(described.block, request.block);
  described.dynamic_shared_bytes = request.dynamic_shared_bytes;
  described.cooperative = request.cooperative;
  described.device = s->device->index;
  error = static_cast<cudaError_t>(cohort_check_launch(&described));
  if (error != cudaSuccess) return error;
  if (request.dynamic_shared_bytes > called->max_dynamic_shared) {
    return request.cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidValue;
  }
  if (called->kernel->parameter_count > 0 && !request.arguments) return cudaErrorInvalidValue;

  const auto op = std::make_shared<kernel_operation>(described, request.arguments);
  op->set_priority(request.priority);
  scheduler::instance().submit(*s, op);
  return cudaSuccess;
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
