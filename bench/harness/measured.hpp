// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a row.
#pragma once

#include <string>
#include <vector>

#include "row.hpp"

namespace bench {

struct measured_row {
  row_spec spec;
  std::vector<double> ours;                // one value for each round
  std::vector<std::vector<double>> peers;  // empty where the peer is missing
  std::vector<std::string> missing;        // the reason, or empty
  std::string failure;                     // why the row does not count, or empty
  std::vector<double> fibers = {};         // our side with COHORT_GANGS=off, if it was measured
};

}  // namespace bench
