// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast this machine copies memory.
#pragma once

namespace cohort::runtime {

// Bytes read and written for each second by a copy of large arrays on all workers of the device, in GB/s. Measured at
// the first call, in some tens of milliseconds; never 0.
double copy_bandwidth();

}  // namespace cohort::runtime
