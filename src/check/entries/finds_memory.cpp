// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked into programs whose checks include --check=memory.
extern "C" {
extern const char cohort_check_finds_memory;
const char cohort_check_finds_memory = 1;
}
