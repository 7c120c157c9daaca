// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a trace event as JSON. Written by hand: an event must take less than a microsecond.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cohort::engine {

void append_number(std::string& text, uint64_t value);
// Nanoseconds as microseconds with three decimals.
void append_microseconds(std::string& text, uint64_t nanoseconds);
// `bytes` between quotes: control characters are escaped, and what is not UTF-8 becomes U+FFFD.
void append_quoted(std::string& text, std::string_view bytes);
// "name":[x,y,z]
void append_triple(std::string& text, std::string_view name, const uint32_t* values);

}  // namespace cohort::engine
