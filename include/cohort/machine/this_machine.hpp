// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// this_machine: the machine of this compilation. No other file chooses a machine.
#pragma once

#include <stdint.h>

#include "../base/config.hpp"

#if !COHORT_CUDA_SOURCE || defined(COHORT_CUDA_ON_CPU)
#include "cpu_machine.hpp"
#else
#include "ptx_machine.hpp"
#endif

#include "contract/complete_machine.hpp"

namespace cohort {

// The machine that the kernels of this compilation run on, with all operations of the contract.
#if !COHORT_CUDA_SOURCE || defined(COHORT_CUDA_ON_CPU)
using this_machine = detail::complete_machine<cpu::machine>;
#else
using this_machine = detail::complete_machine<ptx::machine>;
#endif

/// Lanes of a warp on this machine.
inline constexpr uint32_t warp_size = this_machine::warp_size;

}  // namespace cohort

#if COHORT_CHECKS_CALLS
#include "ptx/check/call_check.hpp"
#include "ptx/grid/block_calls.hpp"
namespace cohort::detail {
using checked_blocks = ptx::block_calls;
}
#endif
#include "check_calls.inc"
