// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races that were found: each pair of source lines once, with a count.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/memory/access.hpp"
#include "check/memory/record.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

// The access `a` by the lanes `node` races with what `c` does now.
void add_race(const record& a, uint32_t node, const accessor& c, const access& now);
// It races with what the operation of this number does now.
void add_race(const record& a, uint32_t node, uint32_t operation, const access& now);

// When the program starts: ends it if COHORT_CHECK has a value that it does not take.
void begin_reports();
// Prints what is new since the last call, as COHORT_CHECK selects; races only when both sides have ended. Returns
// CUDA's error if that makes the launch fail, else error_none.
int report_findings();

}  // namespace cohort::check
