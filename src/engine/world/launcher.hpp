// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace cohort::engine {

// Number of processes that a launcher started together with this one; 1 without a launcher.
uint32_t launched_processes();
// The setting COHORT_WORLD_SHARED.
bool shares_memory();

}  // namespace cohort::engine
