// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the report of the launch that just failed.
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

// "file.cpp:<line>" of a line near the marked one.
inline std::string place(const char* file, int line) { return std::string(file) + ":" + std::to_string(line); }

// A launch that failed leaves nothing behind: the next one works.
inline void expect_device_works() {
  int count = 0;
  const auto kernel = [&] {
    cohort_wait_block();
    ++count;
  };
  EXPECT_EQ(cohort::launch(1, 70, kernel).number(), 0);
  EXPECT_EQ(count, 70);
}
