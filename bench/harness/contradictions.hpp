// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the baselines of different rows with each other. A ratio to a baseline that another row contradicts means
// nothing, so such a row fails.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "measured.hpp"

namespace bench {

// Two measurements of one quantity in one run differ by less than this. Rows of a quiet machine differ by 1.15 at most;
// a neighbour on the other hyperthread of a core makes 1.4 to 1.8, a cold CPU up to 3.
constexpr double contradiction_factor = 1.5;

struct contradiction {
  size_t row;
  std::string text;
};

// Returns the rows one of whose peers contradicts the peers of other rows: it differs from the median of its quantity
// by more than `contradiction_factor`, or our side is shorter than the peer's work, which it contains.
std::vector<contradiction> find_contradictions(const std::vector<measured_row>& rows);

}  // namespace bench
