// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mbarrier of <cuda/barrier>, <cuda/pipeline> and cuda_awbarrier_primitives.h. A thread's deferred copies are made
// when it arrives or waits.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <cohort/base/config.hpp>

#include "../../cudart_detail/device/mbarrier.h"
#include "copy_stages.h"

namespace cuda {
namespace detail {

// Completion function that does nothing.
struct no_completion {
  COHORT_ANY_SIDE void operator()() const noexcept {}
};

struct barrier_word {
  using mbarrier = cohort::cpu::mbarrier;
  using state = mbarrier::state;

  static COHORT_ANY_SIDE void init(uint64_t* word, ptrdiff_t count) { mbarrier::init(word, count); }

  // Counts as `count` arrivals; with `drop`, of threads that later phases do not expect. The last arrival calls
  // `completion` before the next phase begins. Returns the token of the arrival.
  template <class Completion>
  static COHORT_ANY_SIDE uint64_t arrive(uint64_t* word, uint64_t count, bool drop, Completion&& completion) {
    make_copies_due();
    return mbarrier::update(word, {count, drop ? count : 0}, completion);
  }

  static COHORT_ANY_SIDE void wait(const uint64_t* word, uint64_t token) {
    make_copies_due();
    mbarrier::wait(word, token);
  }
  static COHORT_ANY_SIDE void wait_parity(const uint64_t* word, bool parity) {
    make_copies_due();
    mbarrier::wait_parity(word, parity);
  }
  static COHORT_ANY_SIDE bool test(const uint64_t* word, uint64_t token) {
    make_copies_due();
    return mbarrier::test(word, token);
  }
  static COHORT_ANY_SIDE bool test_parity(const uint64_t* word, bool parity) {
    make_copies_due();
    return mbarrier::test_parity(word, parity);
  }
  static COHORT_ANY_SIDE bool try_wait(const uint64_t* word, uint64_t token) {
    make_copies_due();
    return mbarrier::try_wait(word, token);
  }
  static COHORT_ANY_SIDE bool try_wait_parity(const uint64_t* word, bool parity) {
    make_copies_due();
    return mbarrier::try_wait_parity(word, parity);
  }
};

}  // namespace detail
}  // namespace cuda
