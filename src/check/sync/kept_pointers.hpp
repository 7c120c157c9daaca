// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to shared and local memory that kernels keep in other memory. Blocks reuse the memory of earlier blocks, so
// the address of an access does not show that the access is too late; the word that holds the pointer shows it.
#pragma once

#include <cstddef>

namespace cohort::check {

struct block_clock;

// For a copy or fill outside of kernels: move the pointers in a range, or drop overwritten ones.
void move_kept_pointers(const void* to, const void* from, size_t bytes);
void drop_kept_pointers(const void* first, size_t bytes);

// Drops the kept pointers to the block's memory. pre: all threads of the block have returned
void drop_pointers_to(const block_clock& b);

}  // namespace cohort::check
