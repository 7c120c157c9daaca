// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is measured on a GPU: rows with the same names in two builds of the same kernels, one with Cohort's headers and
// one with NVIDIA's.
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
