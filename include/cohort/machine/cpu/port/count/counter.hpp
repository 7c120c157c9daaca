// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The border between instrumented code (cohortcc --count) and the counters: the functions of calls.inc, the structures
// of structures.inc, and the numbers that the compiler plugin passes.
#pragma once

#include "../contexts.hpp"

namespace cohort {
namespace count {

// The operation of a site. A reduction is an atomic whose result the program does not use, an increment one that
// adds 1.
enum class access_kind : uint8_t { load, store, atomic, reduction, async_copy, collective, barrier, increment };

}  // namespace count
}  // namespace cohort

#include "../structures_begin.inc"

#include "structures.inc"

#include "../structures_end.inc"

extern "C" {
#define COHORT_COUNT_CALL(result, name, parameters) result name parameters;

#include "calls.inc"

// The calls that led to the running function, as a part of the keys of its accesses. A caller stores it right before
// the call, and the callee reads it first.
extern __thread uint64_t cohort_count_context;
}
