// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of two accesses: happens-before by barriers, by operations and by flags.
#pragma once

#include <cstdint>

#include "check/memory/record.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

// Whether the access `a` by the lanes `node` happens before what `c` does now, in every order of execution.
bool happens_before(const record& a, uint32_t node, const accessor& c);
// Whether barriers, or the order of operations, order the record before what all threads of the block do now.
bool happens_before_block(const record& a, const block_clock& b);
// Whether the record happens before all that threads of the grid and submitted operations do from now on.
bool is_past(const record& a, const block_clock& b);
// Whether barriers order the record before what any thread of the block does now; if so, caches `number` in the block's
// clock. True for a record that was replaced. pre: the block's threads have no flags
bool prove_happens_before(block_clock& b, uint32_t number);
// The smallest group that contains both accesses, as threads_of_warp and so on; threads_of_grid + 1: none.
uint8_t common_extent(const record& a, const accessor& c);

}  // namespace cohort::check
