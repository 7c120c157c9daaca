// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of programs whose link has --check=race, alone or in a list.
extern "C" {
extern const char cohort_check_finds_race;
const char cohort_check_finds_race = 1;
}
