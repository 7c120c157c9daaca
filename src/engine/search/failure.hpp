// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failure, as runs are compared: how a run ends, which reports it prints, and which of its outputs differ from those
// of the engine's own order.
#pragma once

#include <set>
#include <string>

#include "engine/search/run.hpp"

namespace cohort::engine {

// The titles of the reports in a program's output, such as "race in kernel k". Reports may be text or JSON. Warnings
// and notes are no reports.
std::set<std::string> report_titles(const std::string& text);

struct run_failure {
  std::string end;
  std::set<std::string> reports;  // titles that the engine's own order does not print
  bool changes_out = false;
  bool changes_err = false;  // stderr differs; false if it has reports, because these may name other threads

  run_failure(const run_result& r, const run_result& own);
  bool operator==(const run_failure&) const = default;
};

}  // namespace cohort::engine
