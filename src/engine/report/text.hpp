// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, triples and ranges as reports write them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace cohort::engine {

inline std::string number(uint64_t value) { return std::to_string(value); }

inline std::string triple(const uint32_t* v) {
  return "(" + number(v[0]) + "," + number(v[1]) + "," + number(v[2]) + ")";
}

inline std::string hexadecimal(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

// A report: its text, and its data in JSON.
struct report_body {
  std::string text;
  std::string members = {};  // further members of the JSON object, each after a comma
  std::string blocks = {};   // JSON objects, one for each block that the text describes

  report_body& operator+=(const std::string& more) {
    text += more;
    return *this;
  }
};

// The ranges of adjacent numbers, as pairs of the first and the last.
inline std::vector<std::pair<uint64_t, uint64_t>> runs_of(const std::vector<uint64_t>& sorted) {
  std::vector<std::pair<uint64_t, uint64_t>> runs;
  for (const uint64_t value : sorted) {
    if (runs.empty() || runs.back().second + 1 != value) runs.emplace_back(value, value);
    runs.back().second = value;
  }
  return runs;
}

// For example "0-3, 5, 8-31".
inline std::string ranges(const std::vector<uint64_t>& sorted) {
  std::string text;
  for (const auto& [first, last] : runs_of(sorted)) {
    if (!text.empty()) text += ", ";
    if (text.size() > 200) return text + "... (" + number(sorted.size()) + " in all)";
    text += number(first);
    if (last > first) text += "-" + number(last);
  }
  return text;
}

}  // namespace cohort::engine
