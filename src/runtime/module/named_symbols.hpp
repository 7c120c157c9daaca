// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels and variables of one module by the names that programs look up.
//
// clang marks internal linkage in a mangled name ("_ZL5table", "_ZL4kernPi"). nvcc and NVRTC do not mangle such a
// variable of the global namespace ("table") and mangle such a kernel like any other ("_Z4kernPi").
#pragma once

#include <vector>

#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

// Finds a kernel by the module's own name of it or by nvcc's. cudaErrorSymbolNotFound if there is none.
cudaError_t find_named_kernel(const cohort_module& module, const char* name, function** found);
// Finds a variable by the module's own name of it or by nvcc's; false if there is none.
bool find_named_variable(const cohort_module& module, const char* name, int device, variable* found);
// All kernels of a module that the host can launch.
std::vector<function*> kernels_of(const cohort_module& module);

// Writes the handles of the first `most` kernels.
template <class Handle>
void write_handles(const std::vector<function*>& kernels, Handle* handles, unsigned most) {
  for (size_t i = 0; i < kernels.size() && i < most; ++i) handles[i] = reinterpret_cast<Handle>(kernels[i]);
}

}  // namespace cohort::runtime
