// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies are made as late as allowed: not before the wait for their stage, and not after it.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "raw_launch.hpp"

namespace {

TEST(LateCopy, EachStageIsMadeByItsOwnWait) {
  std::atomic<int> wrong{0};
  const auto kernel = [&] {
    int from[4] = {1, 2, 3, 4}, to[4] = {};
    for (int stage = 0; stage < 4; ++stage) {
      cohort_copy_later(&to[stage], &from[stage], sizeof(int));
      cohort_copy_commit();
    }
    for (int done = 0; done <= 4; ++done) {
      for (int i = 0; i < 4; ++i) wrong += to[i] != (i < done ? i + 1 : 0);
      if (done < 4) cohort_wait_copies(static_cast<uint32_t>(3 - done));
    }
    cohort_wait_copies(0);
    // A change of the source before the wait arrives at the destination.
    cohort_copy_later(&to[0], &from[0], sizeof(int));
    from[0] = 17;
    cohort_copy_commit();
    cohort_wait_block();
    wrong += to[0] != 1;
    cohort_wait_copies(0);
    wrong += to[0] != 17;
  };
  ASSERT_EQ(raw::launch({{3, 1, 1}, {40, 1, 1}}, kernel), 0);
  EXPECT_EQ(wrong, 0);
}

TEST(LateCopy, NothingIsLostWhenTheThreadReturns) {
  std::vector<int> to(3 * 40), from(3 * 40);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int>(i) + 1;
  const auto kernel = [&] {
    const size_t i = raw::block_rank() * 40 + raw::thread_rank();
    cohort_copy_later(&to[i], &from[i], sizeof(int));  // the stage of this copy is neither ended nor waited for
    cohort_wait_block();
  };
  ASSERT_EQ(raw::launch({{3, 1, 1}, {40, 1, 1}}, kernel), 0);
  EXPECT_EQ(to, from);
}

}  // namespace
