// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: any, all, count: this is no group that can vote
#include <cohort/cohort.hpp>

void kernel() {
#if WRONG
  const cohort::thread_group group = cohort::this_thread_block();
  cohort::count(group, true);
#else
  const auto group = cohort::this_thread_block();
  cohort::count(group, true);
#endif
}
