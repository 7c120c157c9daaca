// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::runtime {

// Adds the device variables to the owners of memory that the guard's reports name.
void own_variables();

}  // namespace cohort::runtime
