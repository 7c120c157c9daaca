// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CCCL: NVIDIA's CUB, Thrust and libcu++. cohortcc uses a copy that the user has.
#pragma once

#include <string>

#include "options/options.hpp"

namespace cohort {

// Adds CCCL's folder to the search path after `overlay`, a folder beside Cohort's CUDA headers, and the macros that
// its headers need here. The folder is that of --cccl, or one that -I or -isystem names, or, for a source that includes
// a header that only CCCL has, that of an installed Python package. Throws usage_error where --cccl names no such
// folder.
void use_cccl(options& chosen, const std::string& overlay);

}  // namespace cohort
