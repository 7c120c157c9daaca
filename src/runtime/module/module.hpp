// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a translation unit's device object. The compiler plugin emits these structures and a constructor
// that registers them; their layout is an ABI.
#pragma once

#include <cstdint>

#include <cohort/machine/cpu/port.hpp>

extern "C" {

enum : uint32_t {
  cohort_module_abi = 10,
  cohort_variable_constant = 1,
  cohort_variable_managed = 2,
  cohort_variable_own = 4,    // each device has a copy: device d's is at address + deltas[d]
  cohort_variable_padded = 8  // managed: it starts on a page of its own, and a page of padding lies on either side
};
enum : uint64_t { cohort_padding_page = 4096 };  // bytes; pages of the system may be larger

struct cohort_variable {
  const char* name;  // mangled, as in the source; the plugin may rename the symbol
  void* address;
  uint64_t bytes;
  uint32_t flags;
};

// A variable with a copy for each device. At least 16 bytes of padding follow it.
struct cohort_own_variable {
  char* address;
  uint64_t bytes;
};

// The kernels as they are compiled for one CPU. `features` are what they may use, by LLVM's names: "+avx,+avx2".
struct cohort_module_version {
  const char* cpu;
  const char* features;
  const cohort_kernel* const* kernels;  // cohort_module::kernel_count, in one order in all versions
};

struct cohort_module {
  uint32_t abi;  // cohort_module_abi
  uint32_t kernel_count;
  uint32_t variable_count;
  uint32_t version;  // COHORT_VERSION of the compiler
  const char* id;    // equal to the text in the host object of the translation unit
  // The last version whose features this machine has is the one that runs. Functions and variables that kernels share
  // need the features of the first.
  uint32_t version_count;
  uint32_t reserved;
  const cohort_module_version* versions;
  const cohort_variable* variables;
  // Bounds of the section with the variables that each device has a copy of, except zero variables. It is one section
  // of the executable or shared library, and the runtime makes the copies. The bounds and `deltas` are the same for all
  // units linked together, and null if the unit has no such variable.
  char* own_begin;
  char* own_end;
  // max_devices entries: entry d is the distance in bytes from the linked variables to device d's copy. Written once,
  // before a kernel of the module runs; kernels read it.
  int64_t* deltas;
  // Addresses of words in this unit's part of the section whose value is an address in the section, plus an offset. In
  // the copy of device d these words hold addresses of that copy.
  uint64_t place_count;
  char* const* places;
  // The unit's variables that each device has a copy of. Those with a value of zeros are not in the section.
  uint64_t zero_count;
  const cohort_own_variable* zeros;
  uint64_t filled_count;
  const cohort_own_variable* filled;
};

// Registers a module. `module` lives as long as the program or shared library that contains it.
void cohort_register_module(const cohort_module* module);

}  // extern "C"
