// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of one of CUDA's libraries as an operation of a stream or a graph.
#pragma once

#include <memory>

#include "cudart_detail/library/library_call.h"
#include "runtime/library/library_accesses.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

class library_operation : public operation {
 public:
  explicit library_operation(std::shared_ptr<const cohort_library_call> call)
      : operation(operation_kind::work), call_(std::move(call)) {}
  const char* name() const { return call_->name; }
  operation_label label() const override { return {"library", call_->name}; }
  operation_ref again() const override { return std::make_shared<library_operation>(call_); }

 protected:
  cudaError_t execute() override {
    library_accesses accesses(call_->name);
    running_library_accesses = &accesses;
    const cudaError_t error = call_->run(call_->data);
    running_library_accesses = nullptr;
    return error;
  }

 private:
  std::shared_ptr<const cohort_library_call> call_;  // its deleter releases the data
};

}  // namespace cohort::runtime
