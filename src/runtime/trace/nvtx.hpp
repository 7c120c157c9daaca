// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::runtime {

// A reference to this variable links NVTX's functions into the program. Host code refers to them weakly, and a weak
// reference takes nothing from an archive.
extern const bool has_nvtx;

}  // namespace cohort::runtime
