// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zero-filled address space that becomes resident where it is touched.
#pragma once

#include <cstddef>

namespace cohort::check {

// The bits of a program's addresses, for tables by address.
constexpr unsigned address_bits = 47;

// Ends the process with a sentence if the system has no address space left.
void* lazy_pages(size_t bytes);
// Makes the range zero, and gives full pages in it back to the system.
void clear_pages(void* first, size_t bytes);

}  // namespace cohort::check
