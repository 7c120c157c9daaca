// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The COHORT_* environment variables.
#pragma once

#include <string>

namespace cohort::engine {

// One environment variable: its documentation and the values that are valid.
struct setting {
  const char* name;
  const char* meaning;
  const char* default_text;
  double least;
  double most;
  bool integer;
  const char* const* words = nullptr;  // the values, where they are words; numbers 0, 1, ... stand for them
};

// The values of a setting with words, as a list for a sentence.
std::string list_words(const setting& s);

// All of them, closed by an entry with a null name.
const setting* settings();

// The value of a setting, or `fallback` if it is not set. A value that is no number or out of range ends the process
// with exit code 2 and a sentence that names variable, value and range.
double read_setting(const char* name, double fallback);

}  // namespace cohort::engine
