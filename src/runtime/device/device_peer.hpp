// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::runtime {

// Disables peer access from and to `device`. pre: the scheduler's lock is held
void forget_peers(int device);

}  // namespace cohort::runtime
