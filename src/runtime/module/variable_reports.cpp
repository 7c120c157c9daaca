// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/variable_reports.hpp"

#include <cxxabi.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "runtime/guard/distance.hpp"
#include "runtime/guard/memory_owner.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

namespace {

// For example "device variable 'table'".
std::string title_of(const named_variable& variable) {
  if (variable.name.empty()) return "a device variable";
  int status = 0;
  // A variable named `c` has the mangled name of the type `char`.
  const bool is_mangled = variable.name.compare(0, 2, "_Z") == 0;
  char* const spelled = is_mangled ? abi::__cxa_demangle(variable.name.c_str(), nullptr, nullptr, &status) : nullptr;
  const std::string name = spelled ? spelled : variable.name;
  std::free(spelled);
  return "device variable '" + name + "'";
}

// For example "12 bytes behind the end of 64 bytes of device variable 'table'".
std::string place_beside(const void* address, const named_variable& variable) {
  return distance_from(reinterpret_cast<uintptr_t>(address), variable.address, variable.bytes) + " of " +
         title_of(variable);
}

address_description describe_variable(const void* address) {
  named_variable variable;
  if (!symbol_table::instance().find_nearest(address, &variable)) return {};
  const char* const at = static_cast<const char*>(address);
  if (at >= variable.address && at < variable.address + variable.bytes) return {nearness::inside};
  return {nearness::beside, place_beside(address, variable)};
}

void check_variables(device_state& device) {
  const char* at = nullptr;
  named_variable beside;
  if (symbol_table::instance().find_damage(device.index, &at, &beside)) report_damage(place_beside(at, beside), device);
}

constexpr memory_owner variable_owner{describe_variable, check_variables};

}  // namespace

void add_variable_owner() { add_memory_owner(owner_kind::variables, variable_owner); }

}  // namespace cohort::runtime
