// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inaccessible pages and filler bytes around managed variables, which lie among the variables of the host. In a program
// with AddressSanitizer both are red zones.
#pragma once

#include <vector>

#include <cohort/machine/cpu/port/module.hpp>

#include "runtime/guard/device_heap.hpp"

namespace cohort::runtime {

class managed_guard {
 public:
  // Makes the padding of the unit's managed variables inaccessible, and in strict mode fills the bytes beside them.
  void add(const cohort_module& module, guard_mode mode);
  // Drops the unit's variables and their red zones. Called before the unit's memory is unmapped.
  void remove(const cohort_module& module);
  // Finds overwritten filler bytes: writes the first one and the variable before it, and restores the filler. False if
  // there are none.
  bool find_damage(const char** at, const cohort_variable** beside);
  // The variable whose padding contains `address`, or null.
  const cohort_variable* find_nearest(const void* address) const;

 private:
  std::vector<const cohort_variable*> guarded_;
  bool has_filler_ = false;
};

}  // namespace cohort::runtime
