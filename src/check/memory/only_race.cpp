// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of programs that are linked with --check=race.
extern "C" {
extern const char cohort_check_only_race;
const char cohort_check_only_race = 1;
}
