// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports of wrong accesses to memory (COHORT_GUARD).
#pragma once

#include <string>

#include "runtime/guard/device_heap.hpp"

namespace cohort::runtime {

struct device_state;

// Half a sentence about an address that must not be accessed, such as "4 bytes behind the end of 64 bytes of device
// memory at 0x7f0000001000". Empty if no owner of memory describes it.
std::string describe_illegal(const void* address);

// The mode that COHORT_GUARD selects.
guard_mode chosen_guard();

// Checks the filler bytes around `allocation`. Overwritten ones are reported and fail the device with
// cudaErrorIllegalAddress, as an illegal access of a kernel does.
void check_damage(const memory_range& allocation, device_state& device);
// Checks the filler bytes of all allocations of `device`. Modes other than strict have none.
void check_all_damage(device_state& device);

}  // namespace cohort::runtime
