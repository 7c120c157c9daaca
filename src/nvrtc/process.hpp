// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler: a program beside this library, run as a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cohort::nvrtc {

// The path of cohortcc, which lies in the same installation as this library. Empty if there is none; then `why` gets
// the reason.
std::string find_compiler(std::string* why);

// The folder with the files of Cohort that belong to the compiler at `path`.
std::string parts_of(const std::string& compiler);

struct run_result {
  bool ended = false;  // false if the program did not start, or was cancelled
  bool cancelled = false;
  int status = -1;
  std::string why;  // the reason if the program did not start
};

// Runs a program to its end. Its messages go to the file `messages`. `cancels` is called before the start and while the
// program runs; true ends the program.
run_result run(const std::vector<std::string>& command, const std::string& messages,
               const std::function<bool()>& cancels);

}  // namespace cohort::nvrtc
