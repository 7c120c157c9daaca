// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// addr2line, a program of binutils and of LLVM: finds source lines in the debug information of a program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cohort::engine {

// The absolute path of addr2line, or an empty string. Searched once: in COHORT_ADDR2LINE, which may end the process
// (read_program_setting), then in the absolute folders of PATH.
const std::string& find_addr2line();

// The output of addr2line for `offsets`, which are relative to the load address of the program or library at `path`.
// For each offset: a line with the offset, and for each frame a line with a function and a line with a place. Empty if
// there is no addr2line or it failed. After a time-out addr2line is not started again.
std::string run_addr2line(const std::string& path, const std::vector<uintptr_t>& offsets);

}  // namespace cohort::engine
