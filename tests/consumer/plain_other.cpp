// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second source with the same headers: they must not define a symbol twice.
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>

cohort::error add_one(int* data, int count) {
  const auto kernel = [](int* numbers, int size) {
    const int i = static_cast<int>(cohort::this_grid().thread_rank());
    if (i < size) numbers[i] += 1;
  };
  return cohort::launch((count + 63) / 64, 64, kernel, data, count);
}
