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
  // `op` waits for `before`, which may have finished. Called under the scheduler's lock.
  virtual void ordered(operation& op, const operation& before) = 0;
  // The calling thread submits `op`, and all its edges exist. Called under the scheduler's lock.
  virtual void submitted(operation& op) = 0;
  // The runtime submits `op`, and all its edges exist, as a part of `running`, which the calling thread executes.
  // Called under the scheduler's lock.
  virtual void continued(operation& op, const operation& running) = 0;
  // The calling host thread has waited for `op`, or has found it finished.
  virtual void awaited(const operation& op) = 0;
  // The calling thread executes `op` between these calls. An error of ends() fails the device.
  virtual void begins(operation& op) = 0;
  virtual cudaError_t ends(operation& op) = 0;
  // The operation that the calling thread executes copies or fills memory.
  virtual void accesses(const void* first, size_t bytes, bool writes) = 0;
  // Memory begins to exist. Its earlier contents were those of other allocations. `site`: the call that requested it,
  // by call_site(); null for the call in progress.
  virtual void allocated(const void* first, size_t bytes, const void* site) = 0;
  // A managed variable exists. Before the first launch of its module, and at most once.
  virtual void shares_variable(const void* first, size_t bytes) = 0;
  // Memory is about to be returned to the system. `by_reset`: the program did not free it before the device's reset.
  virtual void freed(const void* first, bool by_reset, const void* site) = 0;
  // The calling thread's call in progress. Stays valid.
  virtual const void* call_site() = 0;
  // malloc in a kernel returns memory, in which earlier allocations may have lain.
  virtual void allocated_in_kernel(const void* first, size_t bytes) = 0;
  // The calling thread requests a copy or fill of a range, which the runtime may refuse.
  virtual void requests(const void* first, size_t bytes, bool writes, bool fills) = 0;
  // The runtime refuses to free the address.
  virtual void refuses_free(const void* memory) = 0;
  // A copy has copied a row. Both ranges were passed to accesses() before.
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
