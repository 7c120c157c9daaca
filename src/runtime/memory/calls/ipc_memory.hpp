// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::runtime {

// Forgets which handles the device has opened. Its memory is released by the caller.
void forget_opened(int device);

}  // namespace cohort::runtime
