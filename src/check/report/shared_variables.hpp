// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The __shared__ variables of kernels and their offsets, as the compiler's plugin lists them.
#pragma once

#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/check/checker.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "check/memory/tool_ports.hpp"

namespace cohort::check {

// Unused bytes after a block's static or dynamic shared memory: other variables lie farther away.
constexpr size_t unused_bytes = 16;

// Finds the variable at `offset` in the static shared memory, and sets its offset and size. Where the list lacks the
// kernel, as with -rdc=true, returns true and sets neither: all of that memory is one variable.
bool find_shared_variable(const cohort_kernel& kernel, size_t offset, size_t* first, size_t* bytes);
// For example "byte 4 of the shared variable sums"; empty if the kernel's list has no variable at `offset`.
std::string describe_shared_variable(const cohort_kernel& kernel, size_t offset);
// For example "0 bytes behind the end of 64 bytes of the shared variable sums", for an address in the block's shared
// memory or shortly after it; empty for any other address.
std::string describe_beside_shared(const char* at, tools::block_view b);

// For example "12 bytes behind the end of 64 bytes" or "... before the start of ...". For an access that begins inside
// the range and ends outside: "beyond the end of 64 bytes, from byte 60".
std::string distance_from(const char* at, const char* first, size_t bytes);

}  // namespace cohort::check
