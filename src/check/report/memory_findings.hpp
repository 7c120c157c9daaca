// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wrong accesses that were found: each place once for each launch, with a count.
#pragma once

#include <cstddef>
#include <string>

#include "check/memory/access.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

enum class memory_problem : uint8_t {
  outside,        // outside every allocation and variable
  unwritten,      // a read of memory that nothing has written
  free,           // a free of an address that is no allocation, or was freed
  host_memory,    // a kernel accessed memory of the host
  device_memory,  // host code accessed memory of a device
  ended_block,    // an access to shared memory of another block, which may have ended
  misaligned,     // the address is no multiple of the type's alignment
};

// Adds a wrong access of the running thread. `memory` returns a phrase for the address, and is called only for the
// first of equal findings.
void add_memory_problem(memory_problem problem, const accessor& c, const access& now,
                        std::string (*memory)(const void*, const accessor&));
// Adds a wrong access of a thread of the block with rank `rank`, in the launch of `b`. `memory` gets `b`.
void add_memory_problem(memory_problem problem, block_clock& b, uint32_t rank, uint32_t thread, const access& now,
                        std::string (*memory)(const void*, const accessor&));
// Adds a wrong range or address of a call of the host, which `sort` names. `memory`: what lies at the address.
void add_memory_problem(memory_problem problem, operation_sort sort, size_t bytes, bool writes, std::string memory);
// Adds a wrong access of host code at `place`. False: the place was reported before.
bool add_host_problem(const void* place, size_t bytes, uint8_t flags, std::string memory);
// Adds an allocation that still exists when its device is reset.
void add_leak(const void* base);

// Returns the findings since the last call, as text or JSON, and removes them. `error`: set to CUDA's error for them if
// CUDA reports one in every run.
std::string take_memory_findings(bool json, int* error);

}  // namespace cohort::check
