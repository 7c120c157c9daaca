// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers of other blocks and threads that a thread has taken from memory. Only their use is wrong.
#pragma once

#include <cstdint>
#include <string>

namespace cohort::check {

// A thread of a launch.
struct thread_name {
  uint32_t launch = 0, block = 0, thread = 0;
  bool operator==(const thread_name&) const = default;
  auto operator<=>(const thread_name&) const = default;
};

struct kept_pointer {
  const void* value = nullptr;
  thread_name owner;
  bool is_local = false;         // points to memory of the owner alone, not of the owner's block
  uintptr_t first = 0, end = 0;  // the memory range that the pointer points into
  std::string memory;            // text for the memory in a report
};

// The thread has taken a pointer that it must not use.
void add_taken(const thread_name& by, const kept_pointer& pointer);
// The thread has read a pointer to memory of its own at this address: it may use this value.
void drop_taken(const thread_name& by, const void* value);
// The pointer with this value that the thread has taken last; false if there is none.
bool find_taken(const thread_name& by, const void* value, kept_pointer* found);
// The block has ended.
void drop_taken_of(uint32_t launch, uint32_t block);

}  // namespace cohort::check
