// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers of other blocks and threads that a thread has loaded from memory. Loading one is permitted, using it is an
// error.
#pragma once

#include <cstdint>
#include <string>

namespace cohort::check {

// Identifies a thread of a launch.
struct thread_name {
  uint32_t launch = 0, block = 0, thread = 0;
  bool operator==(const thread_name&) const = default;
  auto operator<=>(const thread_name&) const = default;
};

struct kept_pointer {
  const void* value = nullptr;
  thread_name owner;
  bool is_local = false;         // points to local memory of the owner, not to its block's memory
  uintptr_t first = 0, end = 0;  // the memory range that the pointer points into
  std::string memory;            // text for the memory in a report
};

// Records that the thread has loaded a pointer that it must not use.
void add_taken(const thread_name& by, const kept_pointer& pointer);
// Permits the thread to use this value: it has loaded a pointer to memory of its own at this address.
void drop_taken(const thread_name& by, const void* value);
// Finds the pointer with this value that the thread has loaded last; false if there is none.
bool find_taken(const thread_name& by, const void* value, kept_pointer* found);
// Drops the pointers that threads of an ended block have loaded.
void drop_taken_of(uint32_t launch, uint32_t block);

}  // namespace cohort::check
