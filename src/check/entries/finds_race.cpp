// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked into programs whose checks include --check=race.
extern "C" {
extern const char cohort_check_finds_race;
const char cohort_check_finds_race = 1;
}
