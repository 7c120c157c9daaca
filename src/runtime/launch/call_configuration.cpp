// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The configuration of `kernel<<<grid, block, shared, stream>>>(arguments)`: pushed before the arguments are evaluated,
// popped in the kernel's host stub. It is a stack, because evaluating an argument may launch another kernel.
#include <memory>

#include "runtime/schedule/api_call.hpp"

namespace {

struct configuration {
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  cudaStream_t stream;
  configuration* below;
};

// A pointer, because thread-local objects of the thread that calls exit() are destroyed before static objects, whose
// destructors may launch.
thread_local configuration* pushed = nullptr;

}  // namespace

extern "C" {

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  return cohort::runtime::host_call([&] {
    pushed = new configuration{grid, block, shared_bytes, stream, pushed};
    return cudaSuccess;
  });
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  return cohort::runtime::host_call([&] {
    if (!pushed) return cudaErrorMissingConfiguration;
    const std::unique_ptr<configuration> top(pushed);
    pushed = top->below;
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    *static_cast<cudaStream_t*>(stream) = top->stream;
    return cudaSuccess;
  });
}

}  // extern "C"
