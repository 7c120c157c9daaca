// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An order of threads as steps with source lines, for people and for programs.
#pragma once

#include <set>
#include <string>

#include "engine/schedule/order.hpp"

namespace cohort::engine {

// The facts about a failure whose order was shrunk.
struct shrunk_failure {
  std::string schedule;           // the schedule that has shown it, such as "seed:3"
  std::string end;                // how the run ended, such as "exit status 1"
  std::set<std::string> reports;  // titles of the run's reports
  size_t switches_before = 0;     // number of switches before they were removed
};

// The steps of a run, a line for each; threads that do the same, one after another, have one line. Some are left out
// between switches that are far apart.
std::string story_text(const order_record& run);
// The order as a JSON object: the content of a file, and a report of COHORT_REPORT=json.
std::string story_json(const order_record& run, const shrunk_failure& failure);

}  // namespace cohort::engine
