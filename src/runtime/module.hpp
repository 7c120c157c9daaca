// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device object of one translation unit tells the runtime about itself. The compiler plugin emits these
// structures and a constructor that registers them; their layout is an ABI.
#pragma once

#include <cstdint>

#include "../../include/cohort/machine/cpu/port.hpp"

extern "C" {

enum : uint32_t { cohort_module_abi = 1, cohort_variable_constant = 1, cohort_variable_managed = 2 };

struct cohort_variable {
  const char* name;  // mangled, before any rename
  void* address;
  uint64_t bytes;
  uint32_t flags;
};

struct cohort_module {
  uint32_t abi;  // cohort_module_abi
  uint32_t kernel_count;
  uint32_t variable_count;
  uint32_t flags;
  const char* id;  // the text that the host object of the same translation unit embeds
  const cohort_kernel* const* kernels;
  const cohort_variable* variables;
};

// `module` must outlive the program, or the shared library that it is part of.
void cohort_register_module(const cohort_module* module);

}  // extern "C"
