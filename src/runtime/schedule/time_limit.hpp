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
    is_long,  // returned once: the operation has lasted for seconds(), and COHORT_LAUNCH_LIMIT is not set
    is_over,  // the operation has lasted for more than seconds(), the value of COHORT_LAUNCH_LIMIT
    is_last,  // for seconds(), the value of COHORT_TIMEOUT, only this operation has held up an exit or a device's reset
  };

  // Compares the time since the construction. `only_waits`: the operation makes no progress by itself.
  verdict check(const device_state& device, bool only_waits);
  double seconds() const { return seconds_; }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point began_ = clock::now();
  clock::time_point last_since_ = clock::time_point::max();  // start of the time in which nothing else runs; max: none
  double seconds_ = 0;
  bool is_noted_ = false;
};

}  // namespace cohort::runtime
