// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of operations and of memory. A tool that follows the order of a program (the checker) installs a listener.
#pragma once

#include <cstddef>

#include "operation.hpp"

namespace cohort::runtime {

class operation_listener {
 public:
  virtual ~operation_listener() = default;
  // `op` waits for `before`, which may have finished. Called under the scheduler's lock.
  virtual void ordered(operation& op, const operation& before) = 0;
  // The calling thread submits `op`, and all its edges exist. Called under the scheduler's lock.
  virtual void submitted(operation& op) = 0;
  // The calling host thread has waited for `op`, or has found it finished.
  virtual void awaited(const operation& op) = 0;
  // The calling thread executes `op` between these calls. An error of ends() fails the device.
  virtual void begins(operation& op) = 0;
  virtual cudaError_t ends(operation& op) = 0;
  // The operation that the calling thread executes copies or fills memory.
  virtual void accesses(const void* first, size_t bytes, bool writes) = 0;
  // Memory begins to exist. Its earlier contents were those of other allocations.
  virtual void allocated(const void* first, size_t bytes) = 0;
  // Memory is about to be returned to the system. `by_reset`: the program did not free it before the device's reset.
  virtual void freed(const void* first, bool by_reset) = 0;
};

// Installed before the first call of the runtime. Null: no tool follows the program.
inline operation_listener* installed_operation_listener = nullptr;

}  // namespace cohort::runtime
