// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's own memory: its stacks, its heap and its variables.
#pragma once

#include <string>

namespace cohort::check {

// Returns "the stack of the host", "the heap of the host" and so on; empty if the address is in no private memory that
// the host may write. Constants are excluded: device code has its own there.
std::string describe_host_memory(const void* address);

}  // namespace cohort::check
