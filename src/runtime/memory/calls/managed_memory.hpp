// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace cohort::runtime {

// True if the range lies in one allocation of managed memory, or in one managed variable.
bool is_managed(const void* memory, size_t bytes);

}  // namespace cohort::runtime
