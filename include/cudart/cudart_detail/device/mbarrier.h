// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of an mbarrier, a 64-bit word in any memory (port/mbarrier_state.hpp): of cuda::barrier,
// cuda::pipeline, the __mbarrier_ functions and PTX.
//
// The last arrival, or the completion of the last bytes, begins the next phase. The engine suspends a thread that
// waits. What CUDA leaves undefined fails the launch.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if !defined(__CUDA_ARCH__)
#include <sched.h>
#endif

#include <cohort/base/config.hpp>
#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/mbarrier_state.hpp>

namespace cohort::cpu {

/// Operations on the word of an mbarrier.
struct mbarrier {
  /// The content of the word.
  using state = mbarrier_state;

  /// Whether an operation orders the memory accesses of its thread: an arrival releases, a test acquires.
  enum class order { strong, relaxed };

  /// An update of the word.
  struct change {
    uint64_t arrivals = 0;           ///< arrivals that the phase no longer needs
    uint64_t dropped = 0;            ///< those of `arrivals` that later phases do not expect, either
    int64_t bytes = 0;               ///< added to the phase's pending bytes (tx-count); negative: bytes arrived
    bool may_complete = true;        ///< false: a change that completes the phase is misuse
    order ordering = order::strong;  ///< the order of an arrival
  };

  /// Reads the word and orders nothing.
  static COHORT_ANY_SIDE mbarrier_state load(const uint64_t* word) { return {__atomic_load_n(word, __ATOMIC_RELAXED)}; }

  /// Initialises the word. Orders nothing: the threads synchronise before they use the barrier.
  static COHORT_ANY_SIDE void init(uint64_t* word, ptrdiff_t count) {
    if (count < 0 || static_cast<uint64_t>(count) > state::most_arrivals) {
      misuse("a barrier was made for %llu arrivals; it can have 0 to 1048575", static_cast<uint64_t>(count));
    }
    *word = state::of_phase(0, static_cast<uint64_t>(count)).word;
  }
  /// Ends the use of the word as an mbarrier. A second end has no effect: a cuda::pipeline destroys the barriers of its
  /// shared state, and the destructor of the state destroys them again.
  static COHORT_ANY_SIDE void invalidate(uint64_t* word) {
    const state now = load(word);
    if (now.word != 0) check(now);
    *word = 0;
  }

  /// Makes the change. The one that completes the phase calls `completion` before the next phase begins. Returns the
  /// word before the change: the token of an arrival.
  template <class Completion>
  static COHORT_ANY_SIDE uint64_t update(uint64_t* word, const change& made, Completion&& completion) {
    const uint64_t taken = made.arrivals * state::arrival + made.dropped * state::expected_arrival -
                           static_cast<uint64_t>(made.bytes) * state::byte;
    const state old{count_down(word, taken, made.ordering)};
    check(old);
    if (made.arrivals > state::most_arrivals)
      misuse("%llu arrivals at a barrier at once: at most 1048575", made.arrivals);
    if (old.pending() < made.arrivals) {
      misuse("more threads arrived at a barrier than it was made for: %llu were still to come", old.pending());
    }
    const int64_t bytes = old.bytes() + made.bytes, most = static_cast<int64_t>(state::most_bytes);
    if (bytes > most || bytes < -most) {
      misuse("the bytes that a phase of a barrier waits for are out of range by %llu; they can be -1048575 to 1048575",
             static_cast<uint64_t>((bytes < 0 ? -bytes : bytes) - most));
    }
    const state next{old.word - taken};
    if (next.is_complete()) {
      if (!made.may_complete) {
        misuse("an arrival with .noComplete completed the phase, which has %llu arrivals", old.expected());
      }
      collect(word);
      completion();
      publish(word, next.next_phase().word, made.ordering);
#if defined(__CUDA_ARCH__)
      cohort_mbarrier_completed(word);
#endif
    }
    return old.word;
  }
  /// Makes the change; nothing is called when the phase is complete.
  static COHORT_ANY_SIDE uint64_t update(uint64_t* word, const change& made) {
    return update(word, made, [] {});
  }

  /// Returns whether the phase of the token is complete. A test that fails acquires nothing.
  static COHORT_ANY_SIDE bool test(const uint64_t* word, uint64_t token, order ordering = order::strong) {
    return awaited(word, token, ordering) == none;
  }
  /// Returns whether the last phase of this parity is complete. The next phase has the other parity.
  static COHORT_ANY_SIDE bool test_parity(const uint64_t* word, bool parity, order ordering = order::strong) {
    return awaited_of_parity(word, parity, ordering) == none;
  }

  /// Waits until the phase of the token is complete.
  static COHORT_ANY_SIDE void wait(const uint64_t* word, uint64_t token) {
    suspend(word, awaited(word, token, order::strong));
  }
  /// Waits until the last phase of this parity is complete.
  static COHORT_ANY_SIDE void wait_parity(const uint64_t* word, bool parity) {
    suspend(word, awaited_of_parity(word, parity, order::strong));
  }

  /// Tests that may suspend the thread first. They may fail although the phase will be complete later.
  static COHORT_ANY_SIDE bool try_wait(const uint64_t* word, uint64_t token, order ordering = order::strong) {
    return try_suspend(word, awaited(word, token, ordering), ordering);
  }
  /// try_wait() for the last phase of this parity.
  static COHORT_ANY_SIDE bool try_wait_parity(const uint64_t* word, bool parity, order ordering = order::strong) {
    return try_suspend(word, awaited_of_parity(word, parity, ordering), ordering);
  }

 private:
  // An arrival releases. A thread acquires what others have written when it waits. The checker finds this function by
  // its name.
  static COHORT_ANY_SIDE uint64_t count_down(uint64_t* word, uint64_t taken, order ordering) {
    return ordering == order::strong ? __atomic_fetch_sub(word, taken, __ATOMIC_RELEASE)
                                     : __atomic_fetch_sub(word, taken, __ATOMIC_RELAXED);
  }
  // The last arrival acquires what all have released, and releases it to the threads that wait. Its own thread acquires
  // it when it waits. A relaxed arrival passes on what others have released: only PTX has it, for shared memory, which
  // one worker uses. The checker finds these functions by their names.
  static COHORT_ANY_SIDE void collect(const uint64_t* word) { acquire(word, order::strong); }
  static COHORT_ANY_SIDE void publish(uint64_t* word, uint64_t next, order ordering) {
    if (ordering == order::strong) {
      __atomic_store_n(word, next, __ATOMIC_RELEASE);
    } else {
      __atomic_store_n(word, next, __ATOMIC_RELAXED);
    }
  }

  // The load that ends a wait. If a fence follows, a relaxed load acquires, too.
  static COHORT_ANY_SIDE void acquire(const uint64_t* word, order ordering) {
    if (ordering == order::strong) {
      (void)__atomic_load_n(word, __ATOMIC_ACQUIRE);
    } else {
      (void)__atomic_load_n(word, __ATOMIC_RELAXED);
    }
  }

  static constexpr uint64_t none = state::phases;  // stands for no phase

  // The current phase. Plain numbers, since the compiler's plugin traces the exits of loops in unoptimized code, too.
  static COHORT_ANY_SIDE uint64_t phase_now(const uint64_t* word) {
    const uint64_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
    check({now});
    return (now >> state::phase_shift) % state::phases;
  }
  // The phase of the token if it is the current one, which is not complete; else `none`.
  static COHORT_ANY_SIDE uint64_t awaited(const uint64_t* word, uint64_t token, order ordering) {
    const uint64_t now = phase_now(word);
    const uint64_t passed = (now - (token >> state::phase_shift)) % state::phases;
    if (passed > 1) {
      misuse("a token of a barrier is that of %llu phases ago: only the current phase and the one before can be tested",
             passed);
    }
    if (passed == 0) return now;
    acquire(word, ordering);
    return none;
  }
  static COHORT_ANY_SIDE uint64_t awaited_of_parity(const uint64_t* word, bool parity, order ordering) {
    const uint64_t now = phase_now(word);
    if (((now & 1) != 0) == parity) return now;
    acquire(word, ordering);
    return none;
  }

  // Waits until `phase` is complete, which was the current phase when the caller tested it.
  static COHORT_ANY_SIDE void suspend(const uint64_t* word, uint64_t phase) {
    if (phase == none) return;
#if defined(__CUDA_ARCH__)
    cohort_wait_mbarrier(word, static_cast<uint32_t>(phase), 1);
#else
    while (load(word).phase() == phase) ::sched_yield();
#endif
    acquire(word, order::strong);
  }
  // Returns whether the phase is complete.
  static COHORT_ANY_SIDE bool try_suspend(const uint64_t* word, uint64_t phase, order ordering) {
    if (phase == none) return true;
#if defined(__CUDA_ARCH__)
    const bool is_over = cohort_wait_mbarrier(word, static_cast<uint32_t>(phase), 0) != 0;
    if (is_over) acquire(word, ordering);
    return is_over;
#else
    (void)word, (void)ordering;
    return false;
#endif
  }

  static COHORT_ANY_SIDE void check(const state& now) {
    if (!now.is_valid()) {
      misuse("a barrier was used that is not initialised, or no longer: it holds %llu", now.word);
    }
  }
  static COHORT_ANY_SIDE void misuse(const char* sentence, uint64_t number) {
#if defined(__CUDA_ARCH__)
    cohort_fail(719, sentence, static_cast<unsigned long long>(number));  // cudaErrorLaunchFailure
#else
    (void)sentence, (void)number;
    __builtin_trap();
#endif
  }
};

}  // namespace cohort::cpu
