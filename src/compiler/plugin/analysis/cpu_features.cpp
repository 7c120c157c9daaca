// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/cpu_features.hpp"

#include "llvm/IR/Function.h"

namespace cohort {

bool has_feature(const llvm::Function& function, std::string_view feature) {
  return enables(function.getFnAttribute("target-features").getValueAsString(), feature);
}

}  // namespace cohort
