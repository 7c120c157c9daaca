// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers of other blocks and threads that a thread has taken from memory. Only their use is wrong.
#pragma once

#include "kept_pointers.hpp"

namespace cohort::check {

// The thread has taken a pointer that it must not use.
void add_taken(const thread_name& by, const kept_pointer& pointer);
// The thread has read a pointer to memory of its own at this address: it may use this value.
void forget_taken(const thread_name& by, const void* value);
// The pointer with this value that the thread has taken last; false if there is none.
bool find_taken(const thread_name& by, const void* value, kept_pointer* found);
// The block has ended.
void forget_taken_of(uint32_t launch, uint32_t block);

}  // namespace cohort::check
