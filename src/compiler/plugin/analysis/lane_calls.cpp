// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/lane_calls.hpp"

#include "analysis/waiting.hpp"

#include "llvm/IR/InstrTypes.h"

namespace cohort {

std::optional<lane_call> lane_call_of(const llvm::CallBase& call) {
  const llvm::StringRef name = called_name(call);
  if (name.starts_with("cohort_")) {
    for (const lane_function& known : lane_functions) {
      if (name == known.name) {
        return known.what;
      }
    }
  }
  return std::nullopt;
}

bool is_warp_collective(const llvm::CallBase& call) {
  const auto known = lane_call_of(call);
  return known ? *known == lane_call::ballot || *known == lane_call::shuffle || *known == lane_call::match
               : called_name(call) == "cohort_wait_warp" || called_name(call) == "cohort_wait_warp_light";
}

}  // namespace cohort
