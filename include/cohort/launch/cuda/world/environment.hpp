// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment of a world on GPUs. On CPUs the engine reads the environment.
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "../../../base/launcher_variables.hpp"

namespace cohort {
namespace detail {

// The value of a variable; null if it is not set or empty. A program with more rights than its user gets null.
inline const char* environment_variable(const char* name) {
  const char* const text = ::secure_getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

// An integer from the environment; `missing` if it is not set.
inline long environment_number(const char* name, long missing) {
  const char* const text = environment_variable(name);
  return text == nullptr ? missing : ::strtol(text, nullptr, 10);
}

// COHORT_TIMEOUT: seconds, 0 for no limit.
inline double read_timeout() {
  constexpr double missing = 60;
  const char* const text = environment_variable("COHORT_TIMEOUT");
  if (text == nullptr) return missing;
  char* end = nullptr;
  const double seconds = ::strtod(text, &end);
  return *end == '\0' && seconds >= 0 ? seconds : missing;
}

// Number of processes that a launcher started together with this one; 1 without a launcher.
inline uint32_t launched_processes() {
  for (const char* name : process_count_variables) {
    const long count = environment_number(name, 0);
    if (count > 0) return static_cast<uint32_t>(count);
  }
  if (environment_number(slurm_process_variable, -1) < 0) return 1;
  return static_cast<uint32_t>(environment_number(slurm_count_variable, 1));
}

}  // namespace detail
}  // namespace cohort
