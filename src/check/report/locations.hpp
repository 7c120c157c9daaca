// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of memory for reports.
#pragma once

#include <string>

namespace cohort::engine {
struct block;
}

namespace cohort::check {

// "byte 4 of the static shared memory of block (0, 0, 0)", as `b` sees the address. Null: no block accesses it.
std::string describe_location(const void* address, const engine::block* b);

}  // namespace cohort::check
