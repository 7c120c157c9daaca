// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/graph/memory_operations.hpp"

#include "runtime/guard/device_heap.hpp"

namespace cohort::runtime {

cudaError_t graph_allocation_operation::execute() {
  if (former_) process_heap().discard(former_->range);
  memory_->begin_life();
  return cudaSuccess;
}

cudaError_t graph_free_operation::execute() {
  memory_->end_life(freed_at_);
  return cudaSuccess;
}

}  // namespace cohort::runtime
