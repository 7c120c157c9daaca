// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Returns the report of the last failed launch.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "cohort/cohort.hpp"
#include "cohort/launch.hpp"

inline std::string last_report() {
  std::string text(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(text.data(), text.size() + 1);
  return text;
}

// Matches "file.cpp:<line>" for a line near the given one.
inline std::string place(const char* file, int line) { return std::string(file) + ":" + std::to_string(line); }

// Checks that the next launch after a failure works.
inline void expect_device_works() {
  int count = 0;
  const auto kernel = [&] {
    cohort_wait_block();
    ++count;
  };
  EXPECT_EQ(cohort::launch(1, 70, kernel).number(), 0);
  EXPECT_EQ(count, 70);
}
