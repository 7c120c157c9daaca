// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace cohort::engine {

struct block;

// Appends what each thread of the block does and where, one paragraph for all threads that do the same.
void describe_block(const block& b, std::string& text);

}  // namespace cohort::engine
