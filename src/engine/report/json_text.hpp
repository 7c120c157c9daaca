// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of reports and of trace events as JSON. Written by hand: an event must take less than a microsecond.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::engine {

void append_number(std::string& text, uint64_t value);
// Nanoseconds as microseconds with three decimals.
void append_microseconds(std::string& text, uint64_t nanoseconds);
// `bytes` between quotes: control characters are escaped, and what is not UTF-8 becomes U+FFFD.
void append_quoted(std::string& text, std::string_view bytes);
// "name":[x,y,z]
void append_triple(std::string& text, std::string_view name, const uint32_t* values);

// As append_quoted(). Calls with a std::string qualify the name, because std::quoted() of <iomanip> takes one too.
std::string quoted(std::string_view bytes);
// "[1, 2, 3]"
std::string json_triple(const uint32_t* values);
// "[[0, 3], [5, 5], [8, 31]]"
std::string json_ranges(const std::vector<uint64_t>& sorted);

}  // namespace cohort::engine
