// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::runtime {

// Removes the entries of handles that the device has opened. The caller releases their memory.
void forget_opened(int device);

}  // namespace cohort::runtime
