// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of <cuda/barrier> and of cuda_awbarrier_primitives.h: one 64-bit word in any memory.
//
// The word holds the arrivals that the phase still expects, the arrivals that each phase expects, and the phase's
// number. The last arrival begins the next phase. Waiting is a loop that reads the word; in a kernel the compiler's
// plugin adds a yield to it. A phase that never ends is reported as a grid that only spins.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if !defined(__CUDA_ARCH__)
#include <sched.h>
#endif

#include <cohort/base/config.hpp>

#include "copy_stages.h"

namespace cuda {
namespace detail {

// Completion function that does nothing.
struct no_completion {
  COHORT_ANY_SIDE void operator()() const noexcept {}
};

struct barrier_word {
  static constexpr uint64_t most = (uint64_t{1} << 20) - 1;
  static constexpr unsigned expected_shift = 20, phase_shift = 40;
  static constexpr uint64_t phase_mask = (uint64_t{1} << 24) - 1;

  static constexpr COHORT_ANY_SIDE uint64_t make(uint64_t phase, uint64_t expected) {
    return (phase & phase_mask) << phase_shift | expected << expected_shift | expected;
  }
  static constexpr COHORT_ANY_SIDE uint64_t pending(uint64_t word) { return word & most; }
  static constexpr COHORT_ANY_SIDE uint64_t expected(uint64_t word) { return word >> expected_shift & most; }
  static constexpr COHORT_ANY_SIDE uint64_t phase(uint64_t word) { return word >> phase_shift; }

  static COHORT_ANY_SIDE uint64_t load(const uint64_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

  static COHORT_ANY_SIDE void init(uint64_t* word, ptrdiff_t count) {
    if (count < 0 || static_cast<uint64_t>(count) > most) {
      misuse("a barrier was made for %llu threads; it can have 0 to 1048575", static_cast<uint64_t>(count));
    }
    __atomic_store_n(word, make(0, static_cast<uint64_t>(count)), __ATOMIC_RELEASE);
  }

  // Counts as `count` arrivals; with `drop`, as one arrival of a thread that later phases do not expect. The last
  // arrival calls `completion` before the next phase begins. Returns the number of the phase that the caller arrived
  // at.
  template <class Completion>
  static COHORT_ANY_SIDE uint64_t arrive(uint64_t* word, uint64_t count, bool drop, Completion&& completion) {
    make_copies_due();
    const uint64_t taken = drop ? 1 + (uint64_t{1} << expected_shift) : count;
    const uint64_t old = count_down(word, taken);
    if (count == 0 || pending(old) < count) {
      misuse("more threads arrived at a barrier than it was made for: %llu were still to come", pending(old));
    }
    if (pending(old) == count) {
      collect(word);
      completion();
      publish(word, make(phase(old) + 1, expected(old) - (drop ? 1 : 0)));
    }
    return phase(old);
  }

  static COHORT_ANY_SIDE bool is_over(const uint64_t* word, uint64_t phase_number) {
    return phase(load(word)) != phase_number;
  }
  // Returns whether the last phase of this parity has ended. The next phase has the other parity.
  static COHORT_ANY_SIDE bool is_parity_over(const uint64_t* word, bool parity) {
    return ((phase(load(word)) & 1) != 0) != parity;
  }

  static COHORT_ANY_SIDE void wait(const uint64_t* word, uint64_t phase_number) {
    make_copies_due();
    while (!is_over(word, phase_number)) pause();
  }
  static COHORT_ANY_SIDE void wait_parity(const uint64_t* word, bool parity) {
    make_copies_due();
    while (!is_parity_over(word, parity)) pause();
  }

 private:
  // An arrival releases. A thread acquires what others have written when it waits. The checker finds this function by
  // its name.
  static COHORT_ANY_SIDE uint64_t count_down(uint64_t* word, uint64_t taken) {
    return __atomic_fetch_sub(word, taken, __ATOMIC_RELEASE);
  }
  // The last arrival acquires what all have released, and releases it to the threads that wait. Its own thread acquires
  // it when it waits. The checker finds both functions by their names.
  static COHORT_ANY_SIDE void collect(const uint64_t* word) { (void)load(word); }
  static COHORT_ANY_SIDE void publish(uint64_t* word, uint64_t next) { __atomic_store_n(word, next, __ATOMIC_RELEASE); }
  static COHORT_ANY_SIDE void pause() {
#if !defined(__CUDA_ARCH__)
    ::sched_yield();
#endif
  }
  static COHORT_ANY_SIDE void misuse(const char* sentence, uint64_t number) {
#if defined(__CUDA_ARCH__)
    cohort_fail(719, sentence, static_cast<unsigned long long>(number));  // cudaErrorLaunchFailure
#else
    __builtin_trap();
#endif
  }
};

}  // namespace detail
}  // namespace cuda
