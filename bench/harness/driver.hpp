// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures rows: starts the measuring processes and lets the sides of a row take turns.
#pragma once

#include <string>

#include "report.hpp"
#include "suite.hpp"

namespace bench {

struct plan {
  std::string part = {};    // name of the only part to measure; empty: all parts
  std::string filter = {};  // a regular expression, which occurs in the names of the rows to measure; empty: all rows
  bool both_modes = false;  // every row with a kernel is compared with COHORT_GANGS=off too
  int most_rounds = 31;
  double seconds_per_row = 6;  // a row that takes longer than this has fewer rounds, but at least three
};

// Returns the measured rows. A row whose process ends, because a result is wrong for example, is a failed row.
report measure(const suite& rows, const plan& how);

}  // namespace bench
