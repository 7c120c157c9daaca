// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses without a thread: copies and fills, and accesses of instrumented host code.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "check/order/operations.hpp"

namespace cohort::check {

// Checks a read or write of the range by the operation. pre: the range lies in device, managed or pinned memory
void check_operation_access(const followed_operation& op, const void* first, size_t bytes, uint8_t flags);

// The operation that this OS thread executes; null for a thread of the program.
extern thread_local followed_operation* executed_operation;

// Number of running launches. A launch with one worker that overlaps no other operation uses plain stores to shadow
// memory.
extern std::atomic<uint32_t> running_launches;
extern std::atomic<bool> operations_overlap;
void note_overlap();

// Extend the ranges of memory that host and device share. Managed variables have a range of their own, because they lie
// among the program's variables.
void note_allocation(const void* first, size_t bytes);
void note_variable(const void* first, size_t bytes);

// Checks an access of host code. `flags` as in a record. Does nothing outside of the runtime's memory.
void check_host_access(const void* address, size_t bytes, uint8_t flags, const void* place);

}  // namespace cohort::check
