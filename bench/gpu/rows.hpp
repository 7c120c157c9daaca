// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows measured on a GPU. Two builds of the kernels, with Cohort's and with NVIDIA's headers, have rows of equal
// names.
#pragma once

#include <vector>

struct row {
  const char* name;
  const char* unit;     // "cycles", "us" or "GB/s", of which more is better
  double bar;           // ours / theirs must not be above it; of GB/s, not below
  double (*measure)();  // one repeat, warm
  double least = 0;     // of GB/s: what ours must not be below
};

std::vector<row> rows_of_cohort();
std::vector<row> rows_of_nvidia();
// Sums of large arrays; the peer is CUB, or the same kernel as it is written without Cohort.
std::vector<row> sums_of_cohort();
std::vector<row> sums_of_cub();
