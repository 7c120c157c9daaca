// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/shared_addresses.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/port_calls.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"

namespace cohort {

bool is_in_shared_memory(const llvm::Value* address) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(address, objects, nullptr, 0);
  return llvm::all_of(objects, [](const llvm::Value* object) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(object);
    const auto read = call ? read_by(*call) : std::nullopt;
    return read == context_value::static_shared || read == context_value::dynamic_shared ||
           (call && port_call_of(*call) == port_call::cohort_cluster_map);
  });
}

}  // namespace cohort
