// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: broadcast: this is no group that can broadcast
#include <cohort/cohort.hpp>

void kernel() {
#if WRONG
  const cohort::thread_group group = cohort::this_thread_block();
  cohort::broadcast(group, 1);
#else
  const auto group = cohort::this_thread_block();
  cohort::broadcast(group, 1);
#endif
}
