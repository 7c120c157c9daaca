// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures rows: starts the measuring processes and lets the sides of a row take turns.
#pragma once

#include <string>

#include "report.hpp"
#include "suite.hpp"

namespace bench {

struct plan {
  std::string part = {};    // a part's name; empty: all
  std::string filter = {};  // a regular expression that a row's name contains; empty: all
  bool both_modes = false;  // every row with a kernel is compared with COHORT_GANGS=off too
  int most_rounds = 31;
  double seconds_per_row = 6;  // fewer rounds, but at least three, where a row takes longer
};

// Returns the measured rows. A row whose process ends, because a result is wrong for example, is a failed row.
report measure(const suite& rows, const plan& how);

}  // namespace bench
