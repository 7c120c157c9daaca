// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

struct block;
struct report_body;

// Appends the state and the source place of each thread of the block, one paragraph for all threads with equal ones.
void describe_block(const block& b, report_body& report);

}  // namespace cohort::engine
