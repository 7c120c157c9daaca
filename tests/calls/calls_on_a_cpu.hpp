// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the checks of a GPU's calls with cohortcc: the groups that a source includes afterwards check their calls by
// the code for GPUs, which runs on the CPU as other CUDA code. Barriers above the block report by themselves there.
#pragma once

#include <cuda_runtime.h>

#include <cohort/machine/ptx/check/call_check.hpp>

namespace cohort::detail {
using checked_blocks = ptx::no_block_calls;
}

#undef COHORT_CHECKS_CALLS
#define COHORT_CHECKS_CALLS 1
#include <cohort/machine/check_calls.inc>
