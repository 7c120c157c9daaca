// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and functions that other_file.cu defines.
#pragma once

__global__ void add_of_other_file(int* to, int amount);
__device__ void launch_of_other_file(int* to, int amount);
