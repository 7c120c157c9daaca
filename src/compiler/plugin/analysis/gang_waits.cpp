// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/gang_waits.hpp"

#include "llvm/ADT/StringSwitch.h"

namespace cohort {

std::optional<gang_wait> gang_wait_of(llvm::StringRef name) {
  if (!name.consume_front("cohort_wait_")) {
    return std::nullopt;
  }
  name.consume_back("_light");
  return llvm::StringSwitch<std::optional<gang_wait>>(name)
      .Cases("block", "cluster", "grid", "multi_grid", gang_wait::barrier)
      .Cases("block_count", "block_all", "block_any", gang_wait::vote)
      .Case("team", gang_wait::team)
      .Default(std::nullopt);
}

}  // namespace cohort
