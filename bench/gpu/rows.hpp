// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows measured on a GPU. Two builds of the kernels, with Cohort's and with NVIDIA's headers, have rows of equal
// names.
#pragma once

#include <vector>

struct row {
  const char* name;
  const char* unit;     // "cycles", "us", or "GB/s", where a greater number is better
  double bar;           // upper limit of ours / theirs; for GB/s the lower limit; 0: none
  double (*measure)();  // runs once, after a warm-up
  double limit = 0;     // the most that ours may take; 0: none
};

std::vector<row> rows_of_cohort();
std::vector<row> rows_of_nvidia();
// Sums of large arrays. The peer is CUB, or the usual form of the kernel without Cohort.
std::vector<row> sums_of_cohort();
std::vector<row> sums_of_cub();
