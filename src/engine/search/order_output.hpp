// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the smallest order goes: to stderr, and to a file for COHORT_SCHEDULE=file:PATH.
#pragma once

#include <string>

#include "engine/schedule/order.hpp"

namespace cohort::engine {

// Prints the steps of a run, or with COHORT_REPORT=json its order on one line. `json`: story_json() of the run.
void print_order(const order_record& run, const std::string& json);
// Writes the file atomically and prints how to use it. On an error it prints the reason instead.
void write_order(const std::string& path, const std::string& json);

}  // namespace cohort::engine
