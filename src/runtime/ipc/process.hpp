// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace cohort::runtime {

// A process on this machine. Its number may be reused after its end, so its start time is compared too.
struct process_id {
  int32_t number = 0;
  uint64_t start = 0;  // clock ticks of the kernel since boot

  bool operator==(const process_id& other) const = default;
};

process_id this_process();
// False for a process that has ended, even if its parent has not waited for it.
bool is_alive(const process_id& process);

}  // namespace cohort::runtime
