// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace cohort::runtime {

// A process on this machine. A number is used again after the process has ended, and the time of its start is not.
struct process_id {
  int32_t number = 0;
  uint64_t start = 0;  // in the kernel's clock ticks since boot

  bool operator==(const process_id& other) const = default;
};

process_id this_process();
// False for a process that has ended, also if its parent has not waited for it.
bool is_alive(const process_id& process);

}  // namespace cohort::runtime
