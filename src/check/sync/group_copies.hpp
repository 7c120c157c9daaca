// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::check {

struct block_clock;

// All threads of the block have returned: reports calls of memcpy_async by a part of a group.
void report_group_copies(const block_clock& b);

}  // namespace cohort::check
