// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of memory for reports.
#pragma once

#include <string>

#include "check/memory/allocations.hpp"
#include "check/memory/tool_ports.hpp"

namespace cohort::check {

// For example "byte 4 of the static shared memory of block (0, 0, 0)", as `b` addresses it. Null: no block.
std::string describe_location(const void* address, tools::block_view b);

// For example "0 bytes behind the end of 256 bytes of device memory at 0x7f..., allocated at file.cu:3 (main)".
std::string describe_beside(const char* at, const known_allocation& memory);
// For example ", allocated at file.cu:3 (main)", and where the memory was freed.
std::string allocated_at(const known_allocation& memory);

}  // namespace cohort::check
