// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that cohortcc calls for inline PTX about mbarriers. Flags are 0 or 1 and constants.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../address_spaces.h"
#include "../mbarrier.h"
#include "function.h"

#if defined(__CUDA_ARCH__)

// Converts an instruction's mbarrier address to the barrier's word. Fails the launch if the address is misaligned.
COHORT_DEVICE_FUNCTION uint64_t* cohort_mbarrier_at(void* address) {
  if (reinterpret_cast<size_t>(address) % 8 != 0) {
    cohort_fail(716, "the mbarrier at %p: its address must be a multiple of 8", address);
  }
  return static_cast<uint64_t*>(address);
}

COHORT_DEVICE_FUNCTION cohort::cpu::mbarrier::order cohort_mbarrier_order(unsigned int is_relaxed) {
  return is_relaxed ? cohort::cpu::mbarrier::order::relaxed : cohort::cpu::mbarrier::order::strong;
}

COHORT_PTX_FUNCTION void cohort_ptx_mbarrier_init(void* address, unsigned int count) {
  if (!__isShared(address)) {
    cohort_fail(719, "mbarrier.init at %p: an mbarrier lies in the shared memory of the block", address);
  }
  if (count == 0) cohort_fail(719, "mbarrier.init for 0 arrivals: the count is 1 to 1048575");
  cohort::cpu::mbarrier::init(cohort_mbarrier_at(address), count);
}
COHORT_PTX_FUNCTION void cohort_ptx_mbarrier_inval(void* address) {
  cohort::cpu::mbarrier::invalidate(cohort_mbarrier_at(address));
}

COHORT_PTX_FUNCTION unsigned long long cohort_ptx_mbarrier_arrive(void* address, unsigned int count, unsigned int bytes,
                                                                  unsigned int drops, unsigned int may_complete,
                                                                  unsigned int is_relaxed) {
  using cohort::cpu::mbarrier;
  if (count == 0) cohort_fail(719, "mbarrier.arrive counts as 0 arrivals: the count is 1 to 1048575");
  return mbarrier::update(cohort_mbarrier_at(address),
                          {count, drops ? count : 0, bytes, may_complete != 0, cohort_mbarrier_order(is_relaxed)});
}
COHORT_PTX_FUNCTION void cohort_ptx_mbarrier_expect(void* address, unsigned int bytes) {
  using cohort::cpu::mbarrier;
  mbarrier::update(cohort_mbarrier_at(address), {0, 0, bytes, true, mbarrier::order::relaxed});
}
COHORT_PTX_FUNCTION void cohort_ptx_mbarrier_complete(void* address, unsigned int bytes, unsigned int is_relaxed) {
  using cohort::cpu::mbarrier;
  mbarrier::update(cohort_mbarrier_at(address),
                   {0, 0, -static_cast<int64_t>(bytes), true, cohort_mbarrier_order(is_relaxed)});
}

// `phase`: a token, or a parity in the lowest bit.
COHORT_PTX_FUNCTION unsigned int cohort_ptx_mbarrier_test(void* address, unsigned long long phase,
                                                          unsigned int is_parity, unsigned int may_wait,
                                                          unsigned int is_relaxed) {
  using cohort::cpu::mbarrier;
  const auto order = cohort_mbarrier_order(is_relaxed);
  const uint64_t* const word = cohort_mbarrier_at(address);
  if (is_parity) {
    const bool parity = (phase & 1) != 0;
    return may_wait ? mbarrier::try_wait_parity(word, parity, order) : mbarrier::test_parity(word, parity, order);
  }
  return may_wait ? mbarrier::try_wait(word, phase, order) : mbarrier::test(word, phase, order);
}

// cp.async.mbarrier.arrive: the copies that the thread has started are made, and then it arrives. `is_counted`: the
// phase expects this arrival already.
COHORT_PTX_FUNCTION void cohort_ptx_mbarrier_copies(void* address, unsigned int is_counted) {
  using cohort::cpu::mbarrier;
  cohort_copy_commit();
  cohort_wait_copies(0);
  uint64_t* const word = cohort_mbarrier_at(address);
  mbarrier::update(word, {is_counted ? 1u : 0u});
}

#endif
