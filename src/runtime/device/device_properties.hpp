// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a virtual device says of itself in CUDA's terms.
#pragma once

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// Everything but what has to be measured. pre: the device exists
const cudaDeviceProp& known_properties(int device);
// Fills in memoryClockRate, whose product with the bus width is the measured copy bandwidth.
int measured_memory_clock();

// Bytes read and written for each second by a copy of large arrays on all workers of the device, in GB/s. Measured at
// the first call, in some tens of milliseconds; never 0.
double copy_bandwidth();

}  // namespace cohort::runtime
