// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that chooses the machine.
#pragma once

#include "../base/config.hpp"

#if !COHORT_CUDA_SOURCE || defined(COHORT_CUDA_ON_CPU)
#include "cpu/machine.hpp"
#else
#error \
    "Cohort: this version runs kernels on the CPU: compile CUDA sources with cohortcc, C++ sources with a C++17 compiler; there is no machine/ptx for a GPU compiler yet"
#endif

#include "derive.hpp"

namespace cohort {

// The machine that kernels of this compilation run on.
using this_machine = detail::complete_machine<cpu::machine>;

}  // namespace cohort
