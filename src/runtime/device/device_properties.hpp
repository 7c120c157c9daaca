// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of the virtual devices, as cudaDeviceProp has them.
#pragma once

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// All properties except memoryClockRate, which may have to be measured. pre: the device exists
const cudaDeviceProp& known_properties(int device);
// The value of memoryClockRate: that of COHORT_GPU, else its product with the bus width is the measured copy bandwidth.
int memory_clock();

// Bandwidth of a copy of large arrays by all workers of the device in GB/s: bytes read plus bytes written. Measured at
// the first call, which takes some tens of milliseconds. Never 0.
double copy_bandwidth();

}  // namespace cohort::runtime
