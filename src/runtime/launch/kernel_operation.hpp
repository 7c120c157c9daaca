// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch as an operation of a stream or a graph.
#pragma once

#include "runtime/launch/argument_copies.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

class kernel_operation : public operation {
 public:
  // Copies the arguments. `name` is the kernel's host name. `launch_priority` is added to the stream's.
  kernel_operation(const void* name, const cohort_launch& launch, void** arguments, int launch_priority)
      : operation(operation_kind::kernel), name_(name), launch_(launch), arguments_(*launch.kernel, arguments) {
    launch_.arguments = arguments_.pointers();
    own_priority_ = priority = launch_priority;
  }
  const void* name() const { return name_; }
  const cohort_launch& launch() const { return launch_; }
  operation_ref again() const override {
    return std::make_shared<kernel_operation>(name_, launch_, arguments_.pointers(), own_priority_);
  }

 protected:
  cudaError_t execute() override {
    launch_.stream = stream;
    return static_cast<cudaError_t>(cohort_run(&launch_));
  }

 private:
  const void* name_;
  cohort_launch launch_;
  argument_copies arguments_;
  int own_priority_;
};

}  // namespace cohort::runtime
