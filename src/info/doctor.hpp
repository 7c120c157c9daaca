// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Checks the installation that this program belongs to, and prints a line for each part. The last line is that it is
// ready, or what to do first. Returns the exit code of cohort-info.
int print_doctor();
