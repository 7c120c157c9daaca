// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The COHORT_* environment variables.
#pragma once

#include <string>

namespace cohort::engine {

inline constexpr double kib = 1024;

// One environment variable: its documentation and the values that are valid.
struct setting {
  const char* name;
  const char* meaning;
  const char* default_text;
  double least;
  double most;
  bool integer;
  const char* const* words = nullptr;  // the values, if they are words; the numbers 0, 1, ... stand for them
  bool program = false;                // the value is the absolute path of a program
  const char* form = nullptr;          // a phrase for the accepted forms of any other value
};

// The permitted words of a setting whose values are words, as a list for a sentence.
std::string list_words(const setting& s);

// Whether the value is a size in bytes: the meaning of such a setting begins with "bytes of".
bool is_bytes(const setting& s);
// A size in bytes with its largest unit: "262144 (256 KiB)". Below 1 KiB only the number.
std::string bytes_text(double bytes);
// The range of a setting, as the end of a sentence. An upper limit of an exbibyte or more is left out: no machine has
// that much memory.
std::string range_text(const setting& s);

// All settings; the last entry has a null name.
const setting* settings();

// The text of a setting's variable, or null if it is not set.
const char* text_of(const setting& s);

// The value of a setting, or `fallback` if it is not set. A value that is no number or out of range ends the process
// with exit code 2 and a sentence that names variable, value and range.
double read_setting(const char* name, double fallback);

// The program that a setting names, or an empty string if it is not set. A value that is not the absolute path of a
// program ends the process like an invalid number.
std::string read_program_setting(const char* name);

// The text of a setting with a form, or null if it is not set.
const char* read_form_setting(const char* name);
// Ends the process with a message: the setting's text does not have its form.
[[noreturn]] void refuse_form_setting(const char* name);

// True if `path` is a file that this process may execute.
bool is_program(const std::string& path);

// A sentence about a variable with the prefix COHORT_ that has no effect: a mistyped setting. It names the known
// variable with the most similar name. Empty: the variable is known.
std::string warn_of_variable(const std::string& name);

// Prints the sentence of warn_of_variable() on stderr for each unknown COHORT_* variable of the environment.
void warn_of_unknown_variables();

}  // namespace cohort::engine
