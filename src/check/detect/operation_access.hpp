// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses without a thread: copies and fills, and accesses of instrumented host code.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "check/order/operations.hpp"

namespace cohort::check {

// The operation reads or writes the range, which lies in device, managed or pinned memory.
void check_operation_access(const followed_operation& op, const void* first, size_t bytes, uint8_t flags);

// The operation that this OS thread executes; null: it is a thread of the program.
extern thread_local followed_operation* executed_operation;

// Number of running launches. A launch with one worker that overlaps no other operation uses plain stores to shadow
// memory.
extern std::atomic<uint32_t> running_launches;
extern std::atomic<bool> operations_overlap;

// Memory that host and device share: the smallest range that holds all allocations, and one for managed variables,
// which lie among the program's own.
void note_allocation(const void* first, size_t bytes);
void note_variable(const void* first, size_t bytes);

// An access of host code. `flags` as in a record. Does nothing outside of the memory of the runtime.
void check_host_access(const void* address, size_t bytes, uint8_t flags, const void* place);

}  // namespace cohort::check
