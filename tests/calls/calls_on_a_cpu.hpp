// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the checks of collective calls, which are code for GPUs, with cohortcc. A source includes this header before
// the groups; their calls then run the checks on the CPU. Barriers above the block are not checked here, because the
// engine itself reports their misuse.
#pragma once

#include <cuda_runtime.h>

#include <cohort/machine/ptx/check/call_check.hpp>

namespace cohort::detail {
using checked_blocks = ptx::no_block_calls;
}

#undef COHORT_CHECKS_CALLS
#define COHORT_CHECKS_CALLS 1
#include <cohort/machine/check_calls.inc>
