// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of programs that are linked with --check=sync.
extern "C" {
extern const char cohort_check_only_sync;
const char cohort_check_only_sync = 1;
}
