// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the sources of the consumer's programs share.
#pragma once

constexpr int consumer_blocks = 3;
constexpr int consumer_threads = 100;  // no multiple of a warp

// host.cpp: what element i must hold.
int expected_value(int i);
