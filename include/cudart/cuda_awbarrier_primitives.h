// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of <cuda/barrier> as plain functions on a word in shared memory.
#pragma once

#include <cohort/base/user_macros/off.hpp>

#include "cuda/detail/barrier_word.h"
#include "cudart_detail/device/macros.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

COHORT_DEVICE_FUNCTION uint32_t __mbarrier_maximum_count() {
  return static_cast<uint32_t>(cuda::detail::barrier_word::state::most_arrivals);
}
COHORT_DEVICE_FUNCTION void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected) {
  cuda::detail::barrier_word::init(barrier, expected);
}
COHORT_DEVICE_FUNCTION void __mbarrier_inval(__mbarrier_t* barrier) {
  cuda::detail::barrier_word::mbarrier::invalidate(barrier);
}
COHORT_DEVICE_FUNCTION __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return cuda::detail::barrier_word::arrive(barrier, 1, false, cuda::detail::no_completion());
}
COHORT_DEVICE_FUNCTION __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return cuda::detail::barrier_word::arrive(barrier, 1, true, cuda::detail::no_completion());
}
// The arrivals that the phase needed before the one that returned the token.
COHORT_DEVICE_FUNCTION uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return static_cast<uint32_t>(cuda::detail::barrier_word::state{token}.pending());
}
// Returns whether the phase has ended; never waits.
COHORT_DEVICE_FUNCTION bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return cuda::detail::barrier_word::test(barrier, token);
}
COHORT_DEVICE_FUNCTION bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return cuda::detail::barrier_word::test_parity(barrier, parity);
}
// Return whether the phase has ended. They may wait, whatever `nanoseconds` says: other threads run in the meantime.
COHORT_DEVICE_FUNCTION bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                                uint32_t /*nanoseconds*/) {
  return cuda::detail::barrier_word::try_wait(barrier, token);
}
COHORT_DEVICE_FUNCTION bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, uint32_t /*nanoseconds*/) {
  return cuda::detail::barrier_word::try_wait_parity(barrier, parity);
}

#include <cohort/base/user_macros/on.hpp>
