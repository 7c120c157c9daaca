// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device function of conditional nodes. The symbol is the runtime's, the name CUDA's.
#pragma once

#include "macros.h"

// Sets the value of a condition. Of concurrent calls, one gives the value.
__attribute__((device)) void cudaGraphSetConditional(unsigned long long handle,
                                                     unsigned int value) __asm__("cohort_set_graph_condition");
