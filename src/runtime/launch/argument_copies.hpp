// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of a kernel's arguments, which an asynchronous launch keeps until it runs.
#pragma once

#include <memory>

#include <cohort/machine/cpu/port.hpp>

namespace cohort::runtime {

// The values of a kernel's parameters and the pointers to them that cohort_launch takes, in one allocation.
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

}  // namespace cohort::runtime
