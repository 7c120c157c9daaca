// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chosen.hpp"

// The linker takes only_race.cpp and so on out of the archive if the driver names its symbol.
extern "C" {
extern __attribute__((weak)) const char cohort_check_only_race;
extern __attribute__((weak)) const char cohort_check_only_memory;
extern __attribute__((weak)) const char cohort_check_only_sync;
}

namespace cohort::check {

bool is_chosen(check_kind kind) {
  if (&cohort_check_only_race) return kind == check_kind::race;
  if (&cohort_check_only_memory) return kind == check_kind::memory;
  return !&cohort_check_only_sync || kind == check_kind::sync;
}

}  // namespace cohort::check
