// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks, and quantiles of measured values.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cpus.hpp"

namespace bench {

// The clock of a measurement: wall time, or CPU time of the process. On a busy machine only CPU time shows the cost of
// the code. CPU time includes threads that spin.
inline clockid_t clock_used = CLOCK_MONOTONIC;

inline double nanoseconds_now(clockid_t clock = clock_used) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// Runs `work`, in which all CPUs of the process share the load evenly, and returns its time.
template <class Work>
double nanoseconds_of(Work&& work) {
  const double start = nanoseconds_now();
  work();
  const double time = nanoseconds_now() - start;
  return clock_used == CLOCK_PROCESS_CPUTIME_ID ? time / usable_cpus() : time;
}

// Returns the quantile `part` (0..1) of the values.
inline double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

inline double median(const std::vector<double>& values) { return quantile(values, 0.5); }

}  // namespace bench
