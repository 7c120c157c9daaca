// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentence of --cohort-report about a kernel that runs in gangs.
#pragma once

#include <string>

#include "gang/build/version_builder.hpp"

namespace cohort {

// Returns the end of a sentence about blocks that are no rows of whole gangs: how they run. Empty if they run in gangs.
std::string how_other_blocks_run(const version_set& versions);

// @param other_blocks of the versions, or of those for the first CPU
std::string sentence(const gang_plan& plan, const version_set& versions, const std::string& other_blocks);

}  // namespace cohort
