// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of the program under one order, in a forked copy of the process.
#pragma once

#include <sys/types.h>

#include <string>

#include "engine/schedule/plan.hpp"

namespace cohort::engine {

struct run_result {
  bool ended = false;  // false: the program was killed at the time limit
  int status = 0;      // exit status as waitpid() reports it
  double seconds = 0;
  std::string out, err;
  schedule_counts counts = {};

  bool operator==(const run_result& other) const {
    return ended == other.ended && status == other.status && out == other.out && err == other.err;
  }
};

// Gives each run the standard input of this process from its beginning.
class runner {
 public:
  runner();

  // Returns false in the copy, which continues as the program under `p`. In this process: waits for the end of the
  // copy, at most `limit` seconds, and fills `result`. Ends the process if the system makes no copy.
  bool run(const plan& p, double limit, run_result& result);

 private:
  void become_run(const plan& p, int out, int err);

  schedule_counts* shared_;
  int input_ = -1;  // a file; -1: the copies inherit the standard input
  off_t input_offset_ = 0;
};

// For example "exit status 1", "signal 11" or "no end".
std::string describe_end(const run_result& r);

}  // namespace cohort::engine
