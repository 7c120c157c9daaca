// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::check {

struct block_clock;

// Reports calls of memcpy_async by a part of a group. pre: all threads of the block have returned
void report_group_copies(const block_clock& b);

}  // namespace cohort::check
