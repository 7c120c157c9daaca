// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions by the size of a source.
#pragma once

#include <vector>

#include "analysis/waiting.hpp"
#include "lowering.hpp"

namespace cohort {

// True if kernels that wait may have gangs of several warps. These take most of the time of compilation, so a source
// has them unless it is large, as one with dozens of instances of a template is, or --cohort-gangs=all asks for them.
bool has_room_for_several_warps(const std::vector<lowered_kernel>& kernels, wait_analysis& waiting);

}  // namespace cohort
