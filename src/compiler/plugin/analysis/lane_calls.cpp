// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/lane_calls.hpp"

#include "analysis/port_calls.hpp"

#include "llvm/IR/InstrTypes.h"

namespace cohort {

std::optional<lane_call> lane_call_named(llvm::StringRef name) {
  if (is_of_cohort(name)) {
    for (const lane_function& known : lane_functions) {
      if (name == known.name) {
        return known.what;
      }
    }
  }
  return std::nullopt;
}

std::optional<lane_call> lane_call_of(const llvm::CallBase& call) { return lane_call_named(called_name(call)); }

bool is_warp_collective(const llvm::CallBase& call) {
  const auto known = lane_call_of(call);
  if (!known) {
    return kind_of(port_call_of(call)) == call_kind::rendezvous;
  }
  return *known == lane_call::ballot || *known == lane_call::shuffle || *known == lane_call::match ||
         *known == lane_call::product;
}

}  // namespace cohort
