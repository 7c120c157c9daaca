// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is measured on a GPU: rows with the same names in two builds of the same kernels, one with Cohort's headers and one
// with NVIDIA's.
#pragma once

#include <vector>

struct row {
  const char* name;
  const char* unit;
  double bar;           // ours / theirs must not be above it
  double (*measure)();  // one repeat, warm; negative where this build cannot
};

std::vector<row> rows_of_cohort();
std::vector<row> rows_of_nvidia();
