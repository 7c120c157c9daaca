// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The asynchronous copy of 4, 8 or 16 bytes that __pipeline_memcpy_async() and cp.async start.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cohort/machine/cpu/port.hpp>

#include "macros.h"

// Copies `bytes` - `zeros` bytes and fills the rest of the destination with zeros. `name`: of the caller, for reports.
COHORT_DEVICE_FUNCTION void cohort_copy_async(const char* name, void* to, const void* from, size_t bytes,
                                              size_t zeros) {
  static const __device__ uint64_t nothing[2] = {0, 0};
  const uintptr_t low = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes || low % bytes != 0) {
    cohort_fail(716,
                "%s of %zu bytes, %zu of them zeros: it copies 4, 8 or 16 bytes between addresses that are multiples "
                "of that",
                name, bytes, zeros);  // cudaErrorMisalignedAddress
  }
  if (zeros != bytes) cohort_copy_later(to, from, bytes - zeros);
  if (zeros != 0) cohort_copy_later(static_cast<char*>(to) + (bytes - zeros), nothing, zeros);
}
