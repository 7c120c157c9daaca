// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of operations and of memory. A tool that follows the order of a program (the checker) installs a listener.
#pragma once

#include <cstddef>
#include <string>

#include "runtime/state/operation.hpp"

namespace cohort::runtime {

class operation_listener {
 public:
  virtual ~operation_listener() = default;
  // Called when `op` begins to wait for `before`, which may have finished. Under the scheduler's lock.
  virtual void ordered(operation& op, const operation& before) = 0;
  // Called when the calling thread submits `op`, after all its edges were added. Under the scheduler's lock.
  virtual void submitted(operation& op) = 0;
  // Called when the runtime submits `op` as a part of `running`, which the calling thread executes, after all its edges
  // were added. Under the scheduler's lock.
  virtual void continued(operation& op, const operation& running) = 0;
  // Called when the running thread of a kernel submits `op` as a part of `running`, the operation of its grid.
  // continued() follows when `op` is about to run.
  virtual void launched(operation& op, const operation& running) = 0;
  // Called when the calling host thread has waited for `op`, or has found it finished.
  virtual void awaited(const operation& op) = 0;
  // Called before and after the calling thread executes `op`. An error of ends() fails the device.
  virtual void begins(operation& op) = 0;
  virtual cudaError_t ends(operation& op) = 0;
  // Called when the operation that the calling thread executes copies or fills memory.
  virtual void accesses(const void* first, size_t bytes, bool writes) = 0;
  // Called for new memory, whose addresses earlier allocations may have had. `site`: the call that requested it, by
  // call_site(); null: the call in progress.
  virtual void allocated(const void* first, size_t bytes, const void* site) = 0;
  // Called for each managed variable at most once, before the first launch of its module.
  virtual void shares_variable(const void* first, size_t bytes) = 0;
  // Called before memory is returned to the system. `by_reset`: the program did not free it before the device's reset.
  virtual void freed(const void* first, bool by_reset, const void* site) = 0;
  // Identifies the call of the runtime that the calling thread is in. Stays valid after the call.
  virtual const void* call_site() = 0;
  // Called when malloc in a kernel returns memory, whose addresses earlier allocations may have had.
  virtual void allocated_in_kernel(const void* first, size_t bytes) = 0;
  // Called when the calling thread requests a copy or fill of a range, which the runtime may refuse.
  virtual void requests(const void* first, size_t bytes, bool writes, bool fills) = 0;
  // Called when the runtime refuses to free the address.
  virtual void refuses_free(const void* memory) = 0;
  // Called after a copy of a row. Both ranges were passed to accesses() before.
  virtual void copied(const void* to, const void* from, size_t bytes) = 0;
  // Whether kernels must not access memory that no call of CUDA has allocated or registered.
  virtual bool refuses_pageable_memory() = 0;
  // Where the program made and freed the allocation at `base`, to follow its description in a report.
  virtual std::string history_of(const void* base) = 0;
};

// Installed before the first call of the runtime. Null: no tool follows the program.
inline operation_listener* installed_operation_listener = nullptr;

// The listener's name of the calling thread's call in progress; null without a listener.
inline const void* current_call_site() {
  return installed_operation_listener ? installed_operation_listener->call_site() : nullptr;
}

}  // namespace cohort::runtime
