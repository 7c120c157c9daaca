// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of the steps for shared memory and for device variables, for the module's tables. They lie in the module, as
// metadata, until the tables are made.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Module;
}  // namespace llvm

namespace cohort {

// Shared memory that a kernel needs: `bytes` and, if `linked`, all that the linked program declares.
struct shared_need {
  uint64_t bytes = 0;
  bool linked = false;
  std::vector<std::pair<uint64_t, uint64_t>>
      gaps;  // begin and end of bytes that no variable uses, for AddressSanitizer
};
using shared_needs = std::vector<std::pair<llvm::Function*, shared_need>>;

// Variables that exist once for each device, and what the runtime needs to copy them (cohort_module).
struct device_variables {
  llvm::MapVector<llvm::GlobalVariable*, uint64_t> own;  // variables of this module, and their bytes without padding
  llvm::SmallPtrSet<llvm::GlobalVariable*, 8> zeros;     // variables of `own` that start as zeros, outside the section
  std::vector<llvm::Constant*> places;
  llvm::GlobalVariable* begin = nullptr;
  llvm::GlobalVariable* end = nullptr;
  llvm::GlobalVariable* deltas = nullptr;  // an array with max_devices elements
};

void keep_shared_needs(const shared_needs& needs);
// Removes the metadata. A kernel without it needs nothing.
shared_needs take_shared_needs(llvm::Module& module);

void keep_device_variables(llvm::Module& module, const device_variables& variables);
device_variables take_device_variables(llvm::Module& module);

}  // namespace cohort
