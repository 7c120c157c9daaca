// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies of 4, 8 or 16 bytes, in stages of the calling thread. They are made when the thread waits for
// their stage.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda_awbarrier_primitives.h"
#include "cudart_detail/device/async_copies.h"

// Copies `bytes` - `zeros` bytes and fills the rest of the destination with zeros.
// @pre `bytes` is 4, 8 or 16, and both addresses are multiples of it.
COHORT_DEVICE_FUNCTION void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from, size_t bytes,
                                                    size_t zeros = 0) {
  cohort_copy_async("__pipeline_memcpy_async", to, from, bytes, zeros);
}
COHORT_DEVICE_FUNCTION void __pipeline_commit() { cohort_copy_commit(); }
// Waits until all stages except the last `prior` are complete.
COHORT_DEVICE_FUNCTION void __pipeline_wait_prior(size_t prior) { cohort_wait_copies(static_cast<uint32_t>(prior)); }
// Adds the thread's copies to the phase of `barrier` that it arrives at next.
COHORT_DEVICE_FUNCTION void __pipeline_arrive_on(__mbarrier_t*) { cohort_copy_commit(); }

#include <cohort/base/user_macros/on.hpp>
