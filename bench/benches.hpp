// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of rows, in the order in which they are printed.
#pragma once

#include "peers.hpp"
#include "report.hpp"

namespace bench {

struct settings {
  int repeats = 31;
  opencl_peer* opencl = nullptr;  // made once: its compiler takes a second
};

void bench_switch(report& rows, const settings& how);
void bench_waiting(report& rows, const settings& how);
void bench_collectives(report& rows, const settings& how);
void bench_whole_kernels(report& rows, const settings& how);
void bench_memory(report& rows, const settings& how);

// The part of bench_memory that runs in a process of its own: prints KiB by which launching `what` made it grow.
int print_growth(const char* what);

}  // namespace bench
