// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function measures one group of rows; the table prints them in this order.
#pragma once

#include "peers.hpp"
#include "report.hpp"

namespace bench {

struct settings {
  int repeats = 31;
  opencl_peer* opencl = nullptr;  // made once, because pocl's compiler takes a second
};

void bench_switch(report& rows, const settings& how);
void bench_waiting(report& rows, const settings& how);
void bench_collectives(report& rows, const settings& how);
void bench_whole_kernels(report& rows, const settings& how);
void bench_memory(report& rows, const settings& how);

// Runs in a process that bench_memory starts. Prints by how many KiB a launch of the kernel `what` made it grow.
int print_growth(const char* what);

}  // namespace bench
