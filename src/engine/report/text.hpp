// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, triples and ranges as reports write them, as text and as JSON.
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

// A JSON string.
inline std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      result += code;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// Three numbers as a JSON array.
inline std::string json_triple(const uint32_t* v) {
  return "[" + number(v[0]) + ", " + number(v[1]) + ", " + number(v[2]) + "]";
}

// "[[0, 3], [5, 5], [8, 31]]"
inline std::string json_ranges(const std::vector<uint64_t>& sorted) {
  std::string text;
  for (size_t i = 0; i < sorted.size();) {
    size_t j = i;
    while (j + 1 < sorted.size() && sorted[j + 1] == sorted[j] + 1) ++j;
    text += (text.empty() ? "[" : ", [") + number(sorted[i]) + ", " + number(sorted[j]) + "]";
    i = j + 1;
  }
  return "[" + text + "]";
}

// A report: its text, and what programs read of it.
struct report_body {
  std::string text;
  std::string blocks = {};  // JSON objects, one for each block that the text describes

  report_body& operator+=(const std::string& more) {
    text += more;
    return *this;
  }
};

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
