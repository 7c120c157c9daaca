// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interleaved measurement: the sides of a comparison alternate in one process, many times, and the medians count. A
// disturbance of the machine then affects all sides alike.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace bench {

// The clock of a measurement: wall time, or CPU time of the process. On a busy machine only CPU time shows the cost of
// the code. CPU time includes threads that spin.
inline clockid_t clock_used = CLOCK_MONOTONIC;

inline double nanoseconds_now() {
  timespec now{};
  clock_gettime(clock_used, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// Runs `work` and returns its time, on one core or on `cores` cores that share it evenly.
template <class Work>
double nanoseconds_of(Work&& work, int cores = 1) {
  const double start = nanoseconds_now();
  work();
  const double time = nanoseconds_now() - start;
  return clock_used == CLOCK_PROCESS_CPUTIME_ID ? time / cores : time;
}

// Returns the quantile `part` (0..1) of the values.
inline double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

inline double median(const std::vector<double>& values) { return quantile(values, 0.5); }

// One side of a comparison: a call measures once and returns the time or the throughput of one unit.
using side = std::function<double()>;

// The measured values of two sides, one of each for each round.
struct comparison {
  std::vector<double> ours;
  std::vector<double> theirs;

  double ratio() const { return median(ours) / median(theirs); }
  // The 10 % and 90 % quantiles of the ratios of the rounds.
  double ratio_quantile(double part) const {
    std::vector<double> ratios;
    for (size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
    return quantile(ratios, part);
  }
};

struct plan {
  int repeats = 31;
  // The pause between two sides: the workers of one side block before the other side is measured.
  std::chrono::microseconds pause{0};
};

// Measures all sides alternately, `repeats` times, in reverse order in every other round. Each side runs once
// unmeasured right before its measurement, which wakes its threads and fills the caches.
inline std::vector<std::vector<double>> interleave(const std::vector<side>& sides, const plan& how) {
  std::vector<std::vector<double>> results(sides.size());
  for (int round = 0; round < how.repeats; ++round) {
    for (size_t turn = 0; turn < sides.size(); ++turn) {
      const size_t i = round % 2 == 0 ? turn : sides.size() - 1 - turn;
      if (how.pause.count() > 0) std::this_thread::sleep_for(how.pause);
      sides[i]();
      results[i].push_back(sides[i]());
    }
  }
  return results;
}

inline comparison interleave(const side& ours, const side& theirs, const plan& how) {
  auto results = interleave(std::vector<side>{ours, theirs}, how);
  return {std::move(results[0]), std::move(results[1])};
}

}  // namespace bench
