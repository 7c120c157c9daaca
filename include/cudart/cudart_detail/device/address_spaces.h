// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions and tests of address spaces. A CPU has one address space: conversions keep the address. Memory that is
// not the block's shared memory counts as global memory, also constants and variables of a thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cohort/machine/cpu/port.hpp>

#include "macros.h"

#define COHORT_TO_SPACE(name) \
  COHORT_DEVICE_FUNCTION size_t name(const void* address) { return reinterpret_cast<size_t>(address); }
#define COHORT_FROM_SPACE(name) \
  COHORT_DEVICE_FUNCTION void* name(size_t address) { return reinterpret_cast<void*>(address); }

COHORT_TO_SPACE(__cvta_generic_to_global)
COHORT_TO_SPACE(__cvta_generic_to_shared)
COHORT_TO_SPACE(__cvta_generic_to_constant)
COHORT_TO_SPACE(__cvta_generic_to_local)
COHORT_TO_SPACE(__cvta_generic_to_grid_constant)
COHORT_FROM_SPACE(__cvta_global_to_generic)
COHORT_FROM_SPACE(__cvta_constant_to_generic)
COHORT_FROM_SPACE(__cvta_local_to_generic)
COHORT_FROM_SPACE(__cvta_grid_constant_to_generic)
#undef COHORT_TO_SPACE
#undef COHORT_FROM_SPACE

// A program that kept the lower 32 bits of the address, all that a GPU has, gets the others from the block's memory.
COHORT_DEVICE_FUNCTION void* __cvta_shared_to_generic(size_t address) {
  char* const own = cohort_static_shared();
  const uint32_t low = static_cast<uint32_t>(reinterpret_cast<size_t>(own));
  return address >> 32 ? reinterpret_cast<void*>(address)
                       : own + static_cast<int32_t>(static_cast<uint32_t>(address) - low);
}

// The shared memory of the calling thread's block: static variables, then dynamic memory of up to 227 KiB.
COHORT_DEVICE_FUNCTION unsigned int __isShared(const void* address) {
  constexpr size_t most_dynamic_bytes = size_t{227} << 10;
  const size_t begin = reinterpret_cast<size_t>(cohort_static_shared());
  const size_t end = reinterpret_cast<size_t>(cohort_dynamic_shared()) + most_dynamic_bytes;
  return reinterpret_cast<size_t>(address) - begin < end - begin;
}
COHORT_DEVICE_FUNCTION unsigned int __isCtaShared(const void* address) { return __isShared(address); }
COHORT_DEVICE_FUNCTION unsigned int __isClusterShared(const void* address) { return __isShared(address); }
COHORT_DEVICE_FUNCTION unsigned int __isGlobal(const void* address) { return !__isShared(address); }
COHORT_DEVICE_FUNCTION unsigned int __isConstant(const void*) { return 0; }
COHORT_DEVICE_FUNCTION unsigned int __isLocal(const void*) { return 0; }
COHORT_DEVICE_FUNCTION unsigned int __isGridConstant(const void*) { return 0; }
