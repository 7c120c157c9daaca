// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a translation unit's device object, which the compiler plugin makes and the runtime reads.
#pragma once

#include "kernel.hpp"

enum : uint32_t {
  cohort_module_abi = 11,  // number of the layout of kernel.inc and module.inc
  cohort_variable_constant = 1,
  cohort_variable_managed = 2,
  cohort_variable_own = 4,       // each device has a copy: device d's is at address + deltas[d]
  cohort_variable_padded = 8,    // managed: it starts on a page of its own, and a page of padding lies on either side
  cohort_variable_texture = 16,  // a texture reference
  cohort_variable_surface = 32   // a surface reference
};
enum : uint64_t { cohort_padding_page = 4096 };  // bytes; pages of the system may be larger

#include "structures_begin.inc"

#include "module.inc"

#include "structures_end.inc"

// The runtime's functions of calls.inc.
extern "C" {
#define COHORT_RUNTIME_CALL(kind, result, name, parameters) result name parameters;

#include "calls.inc"
}
