// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of the program under one order, in a forked copy of the process.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "engine/schedule/order.hpp"
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

// Thrown in the copy of the process, which continues as the program.
struct is_copy {};

// Gives each run the standard input of this process from its beginning.
class runner {
 public:
  runner();

  // Throws is_copy in the copy, which continues as the program under `p`. In this process: waits for the end of the
  // copy, at most `limit` seconds. Ends the process if the system makes no copy. `notes`: the copy notes its order.
  run_result run(const plan& p, double limit, bool notes = false);
  // Runs with `notes` note the points of this launch too; 0: none.
  void note_points_of(uint64_t launch) { noted_->points_of = launch; }
  // The order that the last run with `notes` has noted.
  const order_record& noted() const { return *noted_; }

  // A name for a file with these switches, for the next run. The file is overwritten by the next call.
  std::string file_of(const std::vector<order_switch>& switches);

 private:
  void become_run(const plan& p, int out, int err, bool notes);

  schedule_counts* shared_;
  order_record* noted_;
  int order_;       // the file of file_of()
  int input_ = -1;  // a file with the standard input; -1: the copies inherit the standard input
  off_t input_offset_ = 0;
};

// For example "exit status 1", "signal 11" or "no end".
std::string describe_end(const run_result& r);

}  // namespace cohort::engine
