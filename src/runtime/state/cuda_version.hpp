// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of CUDA that the process was compiled for.
#pragma once

namespace cohort::runtime {

// The highest version of CUDA that cohortcc --cuda-version chose for a module of the process, as in 13050; without one
// 13000.
int cuda_version();
void raise_cuda_version(int version);

// The highest version that cohortcc has: a program may look up all its functions by name.
constexpr int newest_cuda_version = 13050;

}  // namespace cohort::runtime
