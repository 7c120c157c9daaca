// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function adds one part's rows; the table prints them in this order.
#pragma once

#include "../harness/suite.hpp"

namespace bench {

void add_switch_rows(suite& rows);
void add_barrier_rows(suite& rows);
void add_collective_rows(suite& rows);
void add_warp_rows(suite& rows);
void add_sum_rows(suite& rows);
void add_transpose_rows(suite& rows);
void add_scan_rows(suite& rows);
void add_divergence_rows(suite& rows);
void add_matrix_rows(suite& rows);
void add_transform_rows(suite& rows);
void add_library_rows(suite& rows);
void add_arithmetic_rows(suite& rows);
void add_black_scholes_rows(suite& rows);
void add_sample_rows(suite& rows);
void add_program_rows(suite& rows);
void add_write_rows(suite& rows);
void add_launch_rows(suite& rows);
void add_memory_rows(suite& rows);

// Runs in a process that a memory row starts. Prints by how many KiB a launch of the kernel `kind` made it grow.
int print_growth(const char* kind);

}  // namespace bench
