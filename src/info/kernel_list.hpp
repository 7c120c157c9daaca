// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Prints the kernels that cohortcc compiled into a program, a shared library or an object file, and the versions of
// each. Reads the file and runs none of it. Returns the exit code of cohort-info.
int print_kernels(const char* path);
