// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result file: the machine, the versions and the lines of the table as JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "facts.hpp"
#include "report.hpp"

namespace bench {

// Formats a number with three significant digits and without an exponent.
std::string number(double value);
std::string bar_text(const bar& limit);

std::string write_results(const std::string& folder, const machine_facts& facts,
                          const std::vector<std::pair<std::string, std::string>>& peers, int one_cpu,
                          const std::vector<result_line>& lines);

}  // namespace bench
