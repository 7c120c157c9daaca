// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include <cohort/machine/cpu/port/module.hpp>

namespace cohort::runtime {

// The version of a module's kernels that runs in this process: the last one that this CPU can run, or the one that
// COHORT_CPU names. Null if there is none; `refusal` then gives the reason and a remedy.
struct module_choice {
  const cohort_module_version* version = nullptr;
  std::string refusal;
};
module_choice choose_version(const cohort_module& module);

}  // namespace cohort::runtime
