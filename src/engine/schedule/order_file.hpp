// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of COHORT_SCHEDULE=file:PATH: a JSON object with the switches of an order (docs/schemas/report.schema.json).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/schedule/order.hpp"

namespace cohort::engine {

// Reads the switches out of the text of a file. Members of other names are skipped. Returns why the text is no order,
// with its line; empty if it is one.
std::string parse_order(std::string_view text, std::vector<order_switch>& switches);
// Reads the file; returns as parse_order() does.
std::string read_order(const std::string& path, std::vector<order_switch>& switches);

// The switches as an array of JSON objects, each on a line.
std::string switches_text(const std::vector<order_switch>& switches);
// The text of a file that has nothing but the switches.
std::string order_text(const std::vector<order_switch>& switches);

}  // namespace cohort::engine
