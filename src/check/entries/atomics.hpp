// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations of instrumented code. Each is two calls: before the operation it releases, after it acquires.
// `facts` is a sum of atomic_fact.
#pragma once

#include <cohort/machine/cpu/port/check/checker.hpp>
#include <cstddef>
#include <cstdint>

namespace cohort::check {

// A schedule may run other threads before an operation.
void let_others_run(const void* place);
void begin_atomic(const void* address, size_t bytes, uint32_t facts, const void* place);
void end_atomic(const void* address, size_t bytes, uint32_t facts, const void* place);

}  // namespace cohort::check
