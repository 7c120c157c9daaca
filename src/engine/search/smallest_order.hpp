// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a failed run, without the switches that the failure does not need.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/order.hpp"
#include "engine/search/failure.hpp"
#include "engine/search/run.hpp"

namespace cohort::engine {

class smallest_order {
 public:
  // Prepares to shrink the order of `failed`. `own`: the run in the engine's own order. pre: the last run of `runs` has
  // noted the order of `failed`
  smallest_order(runner& runs, const run_result& own, const run_result& failed);

  // Shrinks the order, prints its steps, and writes it to `path`, or to a file of the usual name if that is empty.
  // `schedule` has shown the failure. Throws is_copy as runner::run() does.
  void find_and_print(const std::string& schedule, const std::string& path);

 private:
  using switches = std::vector<order_switch>;

  run_result run(const switches& order);
  // The switches that a run with `order` has followed; empty unless the run fails as `failed` did.
  std::optional<switches> follow(const switches& order);
  // Replaces `least` by the switches that a run with `order` has followed, if the run fails as `failed` did.
  bool replace(switches& least, const switches& order);
  // Replaces consecutive switches by one, from the point of the first to the thread of the last.
  void join(switches& least);
  // Replaces the switches of one launch, that of the last switch in `least`, by fewer ones that select from `threads`.
  // Returns true if it found an order that still fails.
  bool search_fewer(switches& least, const switches& threads);
  // Extends `order`, under which the last run did not fail: the thread of its last switch continues where it polls.
  bool keep_running(switches& least, switches order);
  double seconds() const;

  runner& runs_;
  const run_result& own_;
  const run_failure failure_;
  const double limit_;  // seconds of one run
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool is_late_ = false;  // the time for all runs is over
};

}  // namespace cohort::engine
