// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device object of one translation unit tells the runtime about itself. The compiler plugin emits these
// structures and a constructor that registers them; their layout is an ABI.
#pragma once

#include <cstdint>

#include <cohort/machine/cpu/port.hpp>

extern "C" {

enum : uint32_t {
  cohort_module_abi = 3,
  cohort_variable_constant = 1,
  cohort_variable_managed = 2,
  cohort_variable_own = 4  // each device has its own: device d's lies at address + deltas[d]
};

struct cohort_variable {
  const char* name;  // mangled, before any rename
  void* address;
  uint64_t bytes;
  uint32_t flags;
};

// A variable that each device has for itself and that starts as zeros: it does not lie in the section.
struct cohort_zero_variable {
  char* address;
  uint64_t bytes;
};

struct cohort_module {
  uint32_t abi;  // cohort_module_abi
  uint32_t kernel_count;
  uint32_t variable_count;
  uint32_t flags;
  const char* id;  // the text that the host object of the same translation unit embeds
  const cohort_kernel* const* kernels;
  const cohort_variable* variables;
  // The variables that each device has for itself lie side by side in one section of the executable or shared library
  // that the unit was linked into, or are zero variables of one of its units. What was linked is device 0's copy; the
  // section's bounds and `deltas` are the same for all units linked together. All three are null where the unit has no
  // such variable.
  char* own_begin;
  char* own_end;
  // max_devices entries: entry d is the distance in bytes from device 0's copy to device d's. Written once, before a
  // kernel of the module runs; kernels read it.
  int64_t* deltas;
  // Words in this unit's part of the section that hold addresses in the section, plus what an initialiser adds: the
  // copy of device d holds its own addresses there.
  uint64_t place_count;
  char* const* places;
  uint64_t zero_count;
  const cohort_zero_variable* zeros;
};

// `module` must outlive the program, or the shared library that it is part of.
void cohort_register_module(const cohort_module* module);

}  // extern "C"
