// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: broadcast copies the bytes of a value to other threads: its type must be trivially copyable
#include <cohort/cohort.hpp>

struct owner {
  owner() = default;
  owner(const owner&) {}
  ~owner() {}
};

void kernel() {
#if WRONG
  cohort::broadcast(cohort::this_thread_block(), owner());
#else
  cohort::broadcast(cohort::this_thread_block(), 1);
#endif
}
