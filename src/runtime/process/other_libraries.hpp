// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other libraries with the names of the CUDA runtime or driver, such as NVIDIA's, in the process.
#pragma once

namespace cohort::runtime {

// Whether the calls of a module that registers now reach this library. A library that was opened with RTLD_GLOBAL, or
// preloaded, takes the calls of all libraries that are opened later. Prints one sentence in a process if another CUDA
// library is loaded, and one if calls reach it.
bool calls_reach_this_library();

}  // namespace cohort::runtime
