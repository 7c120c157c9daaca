// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a measured kernel once and returns its time.
#pragma once

#include <cuda_runtime.h>

#include "rows.hpp"

inline constexpr int steps = 256;  // measured operations of a launch

// Cycles of one step in thread 0 of block 0. The kernel's parameters are (values, cycles, argument).
double cycles_of(const void* kernel, int blocks, int threads, int cluster, bool cooperative, int argument);
// Time of the launch, from its first to its last block.
double microseconds_of(const void* kernel, int blocks, int threads);
