// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The border between instrumented code (cohortcc --check) and the checker: the functions of calls.inc, the
// structures of structures.inc, and the numbers that the compiler plugin passes.
#pragma once

#include "../contexts.hpp"

namespace cohort {
namespace check {

// Scopes of atomics and fences, narrowest first.
enum class scope : uint8_t { block, device, system };

// Facts of an atomic or volatile operation. The lowest two bits are its scope.
enum atomic_fact : uint32_t {
  scope_bits = 3,
  reads_value = 4,  // the program uses the value that was in memory
  writes_value = 8,
  releases = 16,        // its memory order releases
  acquires = 32,        // its memory order acquires
  compares = 64,        // a compare-and-exchange
  volatile_fact = 128,  // an ordinary volatile access
  polls = 256,          // a volatile load that decides whether a loop continues
  stores_only = 512,    // a plain store: it ends the release sequence, so readers no longer acquire earlier releases
  updates = 1024,       // the written value depends on the old one
};

// Facts of the function that contains the operations.
enum function_fact : uint32_t {
  block_scope = 1,    // its operations have block scope
  takes_lock = 2,     // it takes a lock by a compare-and-exchange
  only_releases = 4,  // an arrival, whose result orders nothing
  collects = 8,       // its acquires take effect only with its next release
  publishes = 16,     // it releases the collected acquires
  arrives = 32,       // its releases are for threads that collect
};

// The group of a wait.
enum class wait_kind : uint8_t { warp, tile, block, cluster, grid, multi_grid };

// The kinds of cohort_check_several: four bits for each access, the logarithm of its size and a mark of writes.
enum several_kind : uint32_t { kind_of_write = 8, kind_of_none = 7, bits_of_kind = 4, most_of_several = 5 };

}  // namespace check
}  // namespace cohort

#include "../structures_begin.inc"

#include "structures.inc"

#include "../structures_end.inc"

extern "C" {
#define COHORT_CHECK_CALL(kind, result, name, parameters) result name parameters;

#include "calls.inc"
}
