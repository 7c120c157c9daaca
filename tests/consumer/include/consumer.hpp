// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations for all sources of the consumers' programs.
#pragma once

constexpr int consumer_blocks = 3;
constexpr int consumer_threads = 100;  // not a multiple of a warp

// Returns the expected value of element i; host.cpp defines it.
int expected_value(int i);
