// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program called the runtime: the return addresses on the stack. Equal stacks share one object.
#pragma once

#include <string>
#include <vector>

namespace cohort::check {

struct call_site {
  std::vector<const void*> frames;  // innermost first
};

// The call stack of this thread. Objects live as long as the process.
const call_site* current_call_site();
// "file:line (function)" of the innermost call in the program; empty if the host code has no lines.
std::string place_of(const call_site& site);

}  // namespace cohort::check
