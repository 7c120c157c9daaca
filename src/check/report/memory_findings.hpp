// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong accesses that were found: each place once for each launch, with a count.
#pragma once

#include <cstddef>
#include <string>

#include "check/memory/access.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

enum class memory_problem : uint8_t {
  outside,        // outside every allocation and variable
  unwritten,      // a read of memory that nothing has written
  free,           // a free of what is no allocation, or no longer an allocation
  host_memory,    // a kernel accessed memory of the host
  device_memory,  // host code accessed memory of a device
  ended_block,    // shared memory of another block, which may have ended
  misaligned,     // the address is no multiple of what the type needs
};

// `memory` returns a phrase for the address. It is called for the first of equal findings only.
void add_memory_problem(memory_problem problem, const accessor& c, const access& now,
                        std::string (*memory)(const void*, const accessor&));
// A thread of the block with rank `rank`, in the launch of `b`, has made the access. `memory` gets `b`.
void add_memory_problem(memory_problem problem, block_clock& b, uint32_t rank, uint32_t thread, const access& now,
                        std::string (*memory)(const void*, const accessor&));
// A call of the host, which `sort` names, has a wrong range or address. `memory`: what lies at the address.
void add_memory_problem(memory_problem problem, operation_sort sort, size_t bytes, bool writes, std::string memory);
// Host code at `place` has made the access. False: the place was reported before.
bool add_host_problem(const void* place, size_t bytes, uint8_t flags, std::string memory);
// An allocation exists at the reset of its device.
void add_leak(const void* base);

// The findings since the last call, as text or JSON. `error`: set to CUDA's error for them, if it has one that does not
// depend on luck.
std::string take_memory_findings(bool json, int* error);

}  // namespace cohort::check
