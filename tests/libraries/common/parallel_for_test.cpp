// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over cores runs each index once, passes on exceptions, and serves several callers at a time.
#include "libraries/common/parallel_for.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using cohort::libraries::parallel_for;

TEST(ParallelFor, RunsEachIndexOnce) {
  for (const int64_t count : {0, 1, 7, 1000}) {
    for (const int64_t step : {1, 3, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<size_t>(count));
      parallel_for(count, step, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++runs[static_cast<size_t>(i)];
      });
      for (const auto& number : runs) ASSERT_EQ(number, 1);
    }
  }
}

TEST(ParallelFor, ThrowsTheFirstException) {
  std::atomic<int> parts{0};
  EXPECT_THROW(parallel_for(100, 1,
                            [&](int64_t begin, int64_t) {
                              ++parts;
                              if (begin == 17) throw std::runtime_error("17");
                            }),
               std::runtime_error);
  EXPECT_GT(parts, 17);
}

TEST(ParallelFor, ServesSeveralCallersAndLoopsInLoops) {
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat) {
        parallel_for(10, 1, [&](int64_t begin, int64_t) {
          parallel_for(10, 2, [&](int64_t first, int64_t last) { sum += begin * (last - first); });
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 50 * 45 * 10);
}

}  // namespace
