// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations of instrumented code. Each is two calls: the one before the operation releases, the one after it
// acquires. `facts` is a sum of atomic_fact.
#pragma once

#include <cohort/machine/cpu/port/check/checker.hpp>
#include <cstddef>
#include <cstdint>

namespace cohort::check {

// A preemption point for COHORT_SCHEDULE: other threads may run before an operation.
void let_others_run(const void* place);
void begin_atomic(const void* address, size_t bytes, uint32_t facts, const void* place);
void end_atomic(const void* address, size_t bytes, uint32_t facts, const void* place);

}  // namespace cohort::check
