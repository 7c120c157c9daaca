// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace cohort::engine {

struct block;
struct report_body;

// Appends what each thread of the block does and where, one paragraph for all threads that do the same.
void describe_block(const block& b, report_body& report);

}  // namespace cohort::engine
