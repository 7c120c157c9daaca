// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The races that were found: each pair of source lines once, with a count.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/memory/access.hpp"
#include "check/memory/record.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

// Adds a race of the access `a` by the lanes `node` with the access `now` of `c`.
void add_race(const record& a, uint32_t node, const accessor& c, const access& now);
// Adds a race of the access `a` by the lanes `node` with the access `now` of the operation with this number.
void add_race(const record& a, uint32_t node, uint32_t operation, const access& now);

// Ends the program with a message if COHORT_CHECK has an invalid value. Called when the program starts.
void begin_reports();
// Prints the findings since the last call, as COHORT_CHECK selects; races only when both operations have ended. Returns
// CUDA's error if the findings make the launch fail, else error_none.
int report_findings();

}  // namespace cohort::check
