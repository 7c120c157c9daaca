// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time of an operation that the engine does not watch: a wait for a word, a loop of a graph.
#pragma once

#include <chrono>

namespace cohort::runtime {

struct device_state;

class time_limit {
 public:
  enum class verdict : unsigned char {
    within,
    is_long,  // once: it has lasted for seconds() without COHORT_LAUNCH_LIMIT, as a long kernel
    is_over,  // it has lasted for more than seconds(), which COHORT_LAUNCH_LIMIT sets
    is_last,  // it has held up the exit of the program or the reset of a device for more than COHORT_TIMEOUT, which
              // is seconds(), while nothing else ran
  };

  // Compares the time since the construction. `only_waits`: the operation makes no progress by itself.
  verdict check(const device_state& device, bool only_waits);
  double seconds() const { return seconds_; }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point began_ = clock::now();
  clock::time_point last_since_ = clock::time_point::max();  // when nothing else ran any more; max: something runs
  double seconds_ = 0;
  bool is_noted_ = false;
};

}  // namespace cohort::runtime
