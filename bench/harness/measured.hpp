// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured values of a row.
#pragma once

#include <string>
#include <vector>

#include "row.hpp"

namespace bench {

struct measured_row {
  row_spec spec;
  std::vector<double> ours;                // our values, one for each round
  std::vector<std::vector<double>> peers;  // values of each peer, none for a peer that is missing
  std::vector<std::string> missing;        // for each peer, the reason why it is missing, or an empty text
  std::string failure;                     // why the row does not count; empty if it counts
  std::vector<double> fibers = {};         // our side with COHORT_GANGS=off, if it was measured
};

}  // namespace bench
