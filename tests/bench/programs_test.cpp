// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of the benchmark with small inputs: kernels and loops with OpenMP have equal results, twice.
#include <gtest/gtest.h>

#include "programs/comparisons.hpp"

namespace bench {
namespace {

TEST(Programs, KernelsAgreeWithLoops) {
  const auto programs = native::all_programs();
  EXPECT_GE(programs.size(), 16u);
  for (const program& p : programs) {
    SCOPED_TRACE(p.name);
    const comparison both = p.make(problem_size::small);
    for (int run = 0; run < 2; ++run) {
      for (const comparison::side* one : {&both.ours, &both.theirs}) {
        one->reset();
        one->run();
      }
      both.check();  // exits the process at a difference
    }
  }
}

}  // namespace
}  // namespace bench
