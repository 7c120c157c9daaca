// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/named_symbols.hpp"

#include <string>
#include <string_view>

namespace cohort::runtime {

namespace {

// The module's own name of a kernel; `asked` itself if the module has no static kernel of that name.
std::string own_name_of_kernel(const cohort_module& module, std::string_view asked) {
  for (uint32_t i = 0; module.version_count > 0 && asked.starts_with("_Z") && i < module.kernel_count; ++i) {
    const std::string_view name = module.versions[0].kernels[i]->name;
    if (name.starts_with("_ZL") && name.substr(3) == asked.substr(2)) return std::string(name);
  }
  return std::string(asked);
}

std::string own_name_of_variable(const cohort_module& module, std::string_view asked) {
  std::string marked = "_ZL" + std::to_string(asked.size()) + std::string(asked);
  for (uint32_t i = 0; i < module.variable_count; ++i) {
    if (module.variables[i].name == marked) return marked;
  }
  return std::string(asked);
}

}  // namespace

cudaError_t find_named_kernel(const cohort_module& module, const char* name, function** found) {
  symbol_table& table = symbol_table::instance();
  const cudaError_t error = table.find_function_in(module, name, found);
  if (error != cudaErrorSymbolNotFound) return error;
  return table.find_function_in(module, own_name_of_kernel(module, name).c_str(), found);
}

bool find_named_variable(const cohort_module& module, const char* name, int device, variable* found) {
  symbol_table& table = symbol_table::instance();
  return table.find_variable_in(module, name, device, found) ||
         table.find_variable_in(module, own_name_of_variable(module, name).c_str(), device, found);
}

std::vector<function*> kernels_of(const cohort_module& module) {
  std::vector<function*> kernels;
  for (uint32_t i = 0; module.version_count > 0 && i < module.kernel_count; ++i) {
    function* found = nullptr;
    const char* const name = module.versions[0].kernels[i]->name;
    if (symbol_table::instance().find_function_in(module, name, &found) == cudaSuccess) kernels.push_back(found);
  }
  return kernels;
}

}  // namespace cohort::runtime
