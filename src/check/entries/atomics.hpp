// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations of instrumented code. Each is two calls: before the operation it releases, after it acquires.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cohort::check {

// Facts of an operation, as the plugin passes them. The lowest two bits are the scope.
enum atomic_fact : uint32_t {
  scope_bits = 3,
  reads_value = 4,  // the program uses the value that was in memory
  writes_value = 8,
  releases = 16,        // by its memory order
  acquires = 32,        // by its memory order
  compares = 64,        // a compare-and-exchange
  volatile_fact = 128,  // an ordinary volatile access
  polls = 256,          // a volatile load that decides whether a loop goes on
  updates = 1024,       // what it writes depends on what was there
  stores_only = 512,    // a store: what was released before can no longer be read
};

// Facts of the function around operations, for cohort_check_enter().
enum function_fact : uint32_t {
  block_scope = 1,    // its operations have block scope
  takes_lock = 2,     // it compares and exchanges, as programs take locks
  only_releases = 4,  // an arrival, whose result orders nothing
  collects = 8,       // it acquires for the threads to which the next release is
  publishes = 16,     // it releases what was collected
};

// A schedule may run other threads before an operation.
void let_others_run(const void* place);
void begin_atomic(const void* address, size_t bytes, uint32_t facts, const void* place);
void end_atomic(const void* address, size_t bytes, uint32_t facts, const void* place);

}  // namespace cohort::check
