// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host function as an operation of a stream or a graph.
#pragma once

#include "runtime/state/operation.hpp"

namespace cohort::runtime {

class host_function_operation : public operation {
 public:
  host_function_operation(device_state& device, cudaHostFn_t function, void* data)
      : operation(operation_kind::host_function), device_(device), function_(function), data_(data) {}
  cudaHostNodeParams parameters() const { return {function_, data_}; }
  operation_label label() const override { return {"host function", "host function"}; }
  operation_ref again() const override;

 protected:
  cudaError_t execute() override;

 private:
  device_state& device_;
  cudaHostFn_t function_;
  void* data_;
};

}  // namespace cohort::runtime
