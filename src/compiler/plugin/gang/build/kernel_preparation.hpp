// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings a kernel into the form that its versions for gangs are made from.
#pragma once

#include <string>

#include "gang/plan/kernel_facts.hpp"
#include "gang/structure/gang_function.hpp"
#include "lowering.hpp"

namespace cohort {

struct prepared_kernel {
  gang_function structured = {};          // null: the kernel has no gangs, and `refusal` says why
  gang_function without_assertions = {};  // for kernels with assertions that wait: the copy in which none fails
  kernel_facts facts = {};                // facts about the kernel, without the estimate
  std::string refusal = {};               // empty where the kernel cannot be copied
};

prepared_kernel prepare_kernel(const lowered_kernel& kernel, bool waits, llvm::FunctionPassManager& simplify,
                               llvm::FunctionAnalysisManager& functions);

}  // namespace cohort
