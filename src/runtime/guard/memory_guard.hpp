// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports about memory that a program should not have touched (COHORT_GUARD).
#pragma once

#include "runtime/guard/device_heap.hpp"

namespace cohort::runtime {

struct device_state;

// The mode that COHORT_GUARD names.
guard_mode chosen_guard();

// Looks at the filler bytes around `allocation`. Overwritten ones get a report and fail the device with
// cudaErrorIllegalAddress, as an illegal access of a kernel does.
void check_damage(const memory_range& allocation, device_state& device);
// Looks at the filler bytes of all allocations of `device`. Modes other than strict have none.
void check_all_damage(device_state& device);

}  // namespace cohort::runtime
