// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that nvcc and NVRTC give to static kernels and variables. clang marks internal linkage in a mangled name
// ("_ZL5table", "_ZL4kernPi"). nvcc does not mangle such a variable of the global namespace ("table") and mangles such
// a kernel like any other ("_Z4kernPi"), and programs look up these names in a module.
#pragma once

#include <string>
#include <string_view>

#include <cohort/machine/cpu/port/module.hpp>

namespace cohort::runtime {

// The module's own name of a kernel; `asked` itself if the module has no static kernel of that name.
inline std::string own_name_of_kernel(const cohort_module& module, std::string_view asked) {
  for (uint32_t i = 0; module.version_count > 0 && asked.starts_with("_Z") && i < module.kernel_count; ++i) {
    const std::string_view name = module.versions[0].kernels[i]->name;
    if (name.starts_with("_ZL") && name.substr(3) == asked.substr(2)) return std::string(name);
  }
  return std::string(asked);
}

inline std::string own_name_of_variable(const cohort_module& module, std::string_view asked) {
  std::string marked = "_ZL" + std::to_string(asked.size()) + std::string(asked);
  for (uint32_t i = 0; i < module.variable_count; ++i) {
    if (module.variables[i].name == marked) return marked;
  }
  return std::string(asked);
}

}  // namespace cohort::runtime
