// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main() of the tests that run in several processes. COHORT_TEST_RANKS is the number of ranks that the test expects.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "the_world.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  cohort::world& w = testing_kernels::the_world();
  if (const cohort::error e = cohort::world::open(w)) {
    std::fprintf(stderr, "world::open: %s\n", cohort::message(e));
    return 1;
  }
  const char* const ranks = std::getenv("COHORT_TEST_RANKS");
  if (ranks != nullptr && std::atoi(ranks) != w.size()) {
    std::fprintf(stderr, "the world has %d ranks, not %s\n", w.size(), ranks);
    return 1;
  }
  const int failed = RUN_ALL_TESTS();
  const cohort::error closed = w.close();
  return failed != 0 || closed ? 1 : 0;
}
