// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to shared and local memory that kernels keep in other memory. Blocks reuse the memory of earlier blocks, so
// the address of an access does not show that it is too late; the place that keeps the pointer does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cohort::check {

struct accessor;
struct block_clock;

// A thread of a launch.
struct thread_name {
  uint32_t launch = 0, block = 0, thread = 0;
  bool operator==(const thread_name&) const = default;
  auto operator<=>(const thread_name&) const = default;
};

struct kept_pointer {
  const void* value = nullptr;
  thread_name owner;
  bool is_local = false;         // to the memory of the owner alone, not of its block
  uintptr_t first = 0, end = 0;  // what it points into
  std::string memory;            // for a report
};

// A copy or fill outside of kernels moves the pointers in a range, and replaces others.
void move_kept_pointers(const void* to, const void* from, size_t bytes);
void drop_kept_pointers(const void* first, size_t bytes);

// All threads of the block have returned.
void forget_pointers(const block_clock& b);

}  // namespace cohort::check
