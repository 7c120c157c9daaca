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

// Why the GPU of COHORT_GPU would not run code for these architectures, such as "sm_90,compute_90"; empty if it would,
// and without COHORT_GPU. Code of an architecture runs on GPUs of its major number from its minor one on, PTX on later
// GPUs too, and code with the features of one architecture ("sm_90a") on this one only.
std::string refusal_of_gpu(const std::string& gpu_code);

}  // namespace cohort::runtime
