// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the attributes of cudaLaunchKernelEx ask for.
#pragma once

#include "launch.hpp"

namespace cohort::runtime {

// Puts the attributes of `config` into `request`; an attribute that is refused is also a sentence on stderr.
cudaError_t apply_attributes(const cudaLaunchConfig_t& config, launch_request* request);

}  // namespace cohort::runtime
