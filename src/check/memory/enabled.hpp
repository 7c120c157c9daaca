// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks that --check selected when the program was linked.
#pragma once

#include <cstdint>

namespace cohort::check {

enum class check_kind : uint8_t { race, memory, sync };
bool is_enabled(check_kind kind);

}  // namespace cohort::check
