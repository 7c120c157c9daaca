// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What AddressSanitizer and ThreadSanitizer must be told about fibers. Empty in other builds.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define COHORT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COHORT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define COHORT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define COHORT_TSAN 1
#endif
#endif

#if defined(COHORT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(COHORT_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace cohort::engine {

// One for each stack, and one for the stack that a worker's OS thread came with.
struct sanitizer_fiber {
#if defined(COHORT_ASAN)
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  size_t bytes = 0;
#endif
#if defined(COHORT_TSAN)
  void* tsan = nullptr;
#endif
};

// Always inlined: a function that is entered on one fiber and left on another confuses ThreadSanitizer's call stacks.
// Call before a switch to `to`; `from` is null where the running context will never be resumed.
__attribute__((always_inline)) inline void before_switch([[maybe_unused]] sanitizer_fiber* from,
                                                         [[maybe_unused]] sanitizer_fiber& to) {
#if defined(COHORT_ASAN)
  __sanitizer_start_switch_fiber(from ? &from->fake_stack : nullptr, to.bottom, to.bytes);
#endif
#if defined(COHORT_TSAN)
  __tsan_switch_to_fiber(to.tsan, 0);
#endif
}

// Call first thing after a switch, on the context that runs now. `came_from` learns the bounds of the stack
// that was left, which only matters for the stack of the OS thread.
__attribute__((always_inline)) inline void after_switch([[maybe_unused]] sanitizer_fiber& self,
                                                        [[maybe_unused]] sanitizer_fiber* came_from = nullptr) {
#if defined(COHORT_ASAN)
  const void* bottom = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(self.fake_stack, &bottom, &bytes);
  self.fake_stack = nullptr;
  if (came_from && !came_from->bottom) {
    came_from->bottom = bottom;
    came_from->bytes = bytes;
  }
#endif
}

// A stack is about to be used, perhaps again: what frames that were left for good have poisoned is void.
inline void prepare_stack([[maybe_unused]] sanitizer_fiber& self, [[maybe_unused]] void* low,
                          [[maybe_unused]] size_t bytes) {
#if defined(COHORT_ASAN)
  __asan_unpoison_memory_region(low, bytes);
#endif
#if defined(COHORT_TSAN)
  // Not before it is needed: the cost of each switch grows with the number of fibers that exist.
  if (!self.tsan) self.tsan = __tsan_create_fiber(0);
#endif
}

}  // namespace cohort::engine
