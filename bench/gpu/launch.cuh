// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a measured kernel once and gives what it took.
#pragma once

#include <cuda_runtime.h>

#include "rows.hpp"

inline constexpr int steps = 256;  // operations that are timed in a launch

// Cycles of one step, as thread 0 of block 0 saw it. The kernel's parameters are (values, cycles, argument).
double cycles_of(const void* kernel, int blocks, int threads, int cluster, bool cooperative, int argument);
// Time of the whole launch.
double microseconds_of(const void* kernel, int blocks, int threads);
