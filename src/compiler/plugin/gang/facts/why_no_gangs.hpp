// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reasons for which a kernel does not run in gangs, as --cohort-report prints them.
#pragma once

#include "analysis/waiting.hpp"

#include <optional>
#include <string>

namespace llvm {
class Function;
}

namespace cohort {

// Why no kernel like this one runs in gangs, whatever its control flow is.
std::optional<std::string> why_excluded(llvm::Function& function);

// Why the waits of a kernel, or loops that spin, keep its lanes from running together. Checks what is left to call once
// everything is inlined.
std::optional<std::string> why_lanes_may_wait(llvm::Function& function, wait_analysis& waiting);

}  // namespace cohort
