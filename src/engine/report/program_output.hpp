// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program from a failed process, without a shell and with a time limit.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace cohort::engine {

struct program_result {
  std::string output;  // what the program wrote to stdout
  bool ended = true;   // false: the program was killed at the time limit
};

// Runs `command`, an absolute path and arguments. The program reads no input, and its stderr is discarded. A program
// that cannot be started counts as ended without output. The process may have closed its own stdin, stdout and stderr,
// and may ignore SIGCHLD or wait for all its children.
program_result program_output(const std::vector<std::string>& command, std::chrono::milliseconds time_limit);

}  // namespace cohort::engine
