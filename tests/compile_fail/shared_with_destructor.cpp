// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: cohort::shared<T>: T needs no destructor, because none would run
#include <cohort/shared.hpp>

struct owner {
  owner() = default;
  owner(const owner&) {}
  ~owner() {}
};

void kernel() {
#if WRONG
  cohort::shared<owner, struct tag>();
#else
  cohort::shared<int, struct tag>();
#endif
}
