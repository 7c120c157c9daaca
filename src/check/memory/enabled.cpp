// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/memory/enabled.hpp"

// The driver names a symbol for each selected check, so the linker adds its file (finds_race.cpp, ...) to the program.
extern "C" {
extern __attribute__((weak)) const char cohort_check_finds_race;
extern __attribute__((weak)) const char cohort_check_finds_memory;
extern __attribute__((weak)) const char cohort_check_finds_sync;
}

namespace cohort::check {

bool is_enabled(check_kind kind) {
  const bool race = &cohort_check_finds_race, memory = &cohort_check_finds_memory, sync = &cohort_check_finds_sync;
  if (!race && !memory && !sync) return true;
  switch (kind) {
    case check_kind::race:
      return race;
    case check_kind::memory:
      return memory;
    case check_kind::sync:
      break;
  }
  return sync;
}

}  // namespace cohort::check
