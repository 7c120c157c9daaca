// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of reports and trace events as JSON. Written by hand: an event must take less than a microsecond.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::engine {

void append_number(std::string& text, uint64_t value);
// Appends nanoseconds as microseconds with three decimals.
void append_microseconds(std::string& text, uint64_t nanoseconds);
// Appends `bytes` in quotes: escapes control characters, and replaces invalid UTF-8 by U+FFFD.
void append_quoted(std::string& text, std::string_view bytes);
// Appends "name":[x,y,z].
void append_triple(std::string& text, std::string_view name, const uint32_t* values);

// Returns the text of append_quoted(). Calls with a std::string qualify the name, because std::quoted() of <iomanip>
// takes one too.
std::string quoted(std::string_view bytes);
// The members that each report has: the version of the schema, and the schedule that repeats the run.
std::string json_origin();
// Leaves the schedule out of reports. For runs of a search, whose outputs are compared.
void leave_schedule_out();
// For example "[1, 2, 3]".
std::string json_triple(const uint32_t* values);
// For example "[[0, 3], [5, 5], [8, 31]]".
std::string json_ranges(const std::vector<uint64_t>& sorted);

}  // namespace cohort::engine
