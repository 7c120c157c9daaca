// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that chooses the machine.
#pragma once

#include "../base/config.hpp"

#if !COHORT_CUDA_SOURCE || defined(COHORT_CUDA_ON_CPU)
#include "cpu/machine.hpp"
#else
#error "Cohort runs kernels on the CPU in this version: compile .cu with cohortcc; for GPU compilers machine/ptx is missing"
#endif

#include "derive.hpp"

namespace cohort {

// The machine that kernels of this compilation run on.
using this_machine = detail::complete_machine<cpu::machine>;

}  // namespace cohort
