// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, triples and ranges as reports write them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
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

// "0-3, 5, 8-31"
inline std::string ranges(const std::vector<uint64_t>& sorted) {
  std::string text;
  for (size_t i = 0; i < sorted.size();) {
    size_t j = i;
    while (j + 1 < sorted.size() && sorted[j + 1] == sorted[j] + 1) ++j;
    if (!text.empty()) text += ", ";
    if (text.size() > 200) return text + "... (" + number(sorted.size()) + " in all)";
    text += number(sorted[i]);
    if (j > i) text += "-" + number(sorted[j]);
    i = j + 1;
  }
  return text;
}

}  // namespace cohort::engine
