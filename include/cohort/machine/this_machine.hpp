// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// this_machine: the machine of this compilation. No other file chooses a machine.
#pragma once

#include "../base/config.hpp"

#if !COHORT_CUDA_SOURCE || defined(COHORT_CUDA_ON_CPU)
#include "cpu/machine.hpp"
#else
#include "ptx/machine.hpp"
#endif

#include "complete_machine.hpp"

namespace cohort {

// The machine that the kernels of this compilation run on, with all operations of the contract.
#if !COHORT_CUDA_SOURCE || defined(COHORT_CUDA_ON_CPU)
using this_machine = detail::complete_machine<cpu::machine>;
#else
using this_machine = detail::complete_machine<ptx::machine>;
#endif

}  // namespace cohort
