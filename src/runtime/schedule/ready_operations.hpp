// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations that can run: all predecessors have finished, and no thread has taken them. Kernels wait in the queues
// of their devices, because one kernel runs on a device at a time. The scheduler's lock guards them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "runtime/state/operation.hpp"

namespace cohort::runtime {

class ready_operations {
 public:
  void add(const operation_ref& op);
  // Takes an operation that any thread may run, or null. A kernel occupies its devices until the scheduler has finished
  // it.
  operation_ref take_any();
  // Takes an operation with this token, or null. Only the runtime's threads take host functions of streams.
  operation_ref take_wanted(uint64_t token);
  // The number of operations that can run at the same time.
  size_t count() const;
  // Removes and returns all operations. Afterwards no kernel counts as running.
  std::vector<operation_ref> take_all();

 private:
  operation_ref take_kernel(device_state& device, uint64_t token);

  std::deque<operation_ref> work_;  // operations other than kernels
};

}  // namespace cohort::runtime
