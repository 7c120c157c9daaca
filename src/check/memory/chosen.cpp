// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chosen.hpp"

// The linker takes only_race.cpp or only_memory.cpp out of the archive if the driver names its symbol.
extern "C" {
extern __attribute__((weak)) const char cohort_check_only_race;
extern __attribute__((weak)) const char cohort_check_only_memory;
}

namespace cohort::check {

bool is_chosen(check_kind kind) {
  return kind == check_kind::race ? !&cohort_check_only_memory : !&cohort_check_only_race;
}

}  // namespace cohort::check
