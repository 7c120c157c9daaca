// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The resident memory of waiting threads. Threads that never wait need none.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "cohort/launch.hpp"
#include "engine/fiber/sanitizer.hpp"

namespace {

size_t resident_bytes() {
  size_t pages = 0, total = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (std::fscanf(file, "%zu %zu", &total, &pages) != 2) pages = 0;
  std::fclose(file);
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

constexpr size_t mib = 1024 * 1024;

// Runs first in a fresh process: only this launch can raise the resident memory.
TEST(Memory, WaitingBlockOf1024ThreadsStaysSmall) {
#if defined(COHORT_ASAN) || defined(COHORT_TSAN)
  GTEST_SKIP() << "sanitizers have shadow memory of their own";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own, in which nothing has run
  EXPECT_EXIT(
      {
        const auto idle = [] {};
        if (cohort::launch(1, 1, idle)) std::exit(1);
        const size_t before = resident_bytes();
        const auto never_waits = [] {
          volatile char local[64];
          local[0] = 1;
          static_cast<void>(local[0]);
        };
        if (cohort::launch(8, 1024, never_waits)) std::exit(2);
        const size_t after_never = resident_bytes();
        const auto waits = [] { cohort_wait_block(); };
        if (cohort::launch(1, 1024, waits)) std::exit(3);
        const size_t after_waits = resident_bytes();
        std::fprintf(stderr, "never %zu KiB, waits %zu KiB\n", (after_never - before) / 1024,
                     (after_waits - after_never) / 1024);
        if (after_never - before > 2 * mib) std::exit(4);
        if (after_waits - after_never > 20 * mib) std::exit(5);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "never");
}

}  // namespace
