// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::runtime {

// Adds the device variables to the owners of memory that the guard's reports name.
void add_variable_owner();

}  // namespace cohort::runtime
