// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of programs that are linked with --check=memory.
extern "C" {
extern const char cohort_check_only_memory;
const char cohort_check_only_memory = 1;
}
