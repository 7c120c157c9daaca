// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Announces switches between fibers to AddressSanitizer and ThreadSanitizer. Empty in other builds.
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

// The sanitizers' state of each stack: a fiber's, or that of a worker's OS thread.
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

// Call before a switch to `to`. `from` is null if the running fiber is never resumed. Always inlined: ThreadSanitizer's
// call stacks need functions that are entered and left on one fiber.
__attribute__((always_inline)) inline void before_switch([[maybe_unused]] sanitizer_fiber* from,
                                                         [[maybe_unused]] sanitizer_fiber& to) {
#if defined(COHORT_ASAN)
  __sanitizer_start_switch_fiber(from ? &from->fake_stack : nullptr, to.bottom, to.bytes);
#endif
#if defined(COHORT_TSAN)
  __tsan_switch_to_fiber(to.tsan, 0);
#endif
}

// Call first after a switch, on the fiber that now runs. If `came_from` is given and has no bounds yet, it receives the
// bounds of the stack that was left.
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

// Call before each use of a stack. Removes the poison of frames that were left without returning.
inline void prepare_stack([[maybe_unused]] sanitizer_fiber& self, [[maybe_unused]] void* low,
                          [[maybe_unused]] size_t bytes) {
#if defined(COHORT_ASAN)
  __asan_unpoison_memory_region(low, bytes);
#endif
#if defined(COHORT_TSAN)
  // Created at the first use: the cost of each switch grows with the number of ThreadSanitizer's fibers.
  if (!self.tsan) self.tsan = __tsan_create_fiber(0);
#endif
}

}  // namespace cohort::engine
