// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked into programs whose checks include --check=sync.
extern "C" {
extern const char cohort_check_finds_sync;
const char cohort_check_finds_sync = 1;
}
