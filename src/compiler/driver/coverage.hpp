// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that count how often source lines run: gcov's (--coverage) and clang's own (-fprofile-instr-generate).
#pragma once

#include <string>
#include <vector>

#include "options/options.hpp"
#include "tools/toolchain.hpp"

namespace cohort {

enum class coverage_pass { cpp, host, device };

// The options of a pass of clang that count lines; none without such an option on the command line. gcov's files lie
// beside `object`, or beside the program where the objects are temporary files. Those of device code are named
// NAME.device.gcno and NAME.device.gcda, so both passes of a source have their own, and gcov's readers add them up.
std::vector<std::string> coverage_words(const options& chosen, const toolchain& tools, const input_file& input,
                                        const std::string& object, coverage_pass pass);
// The options of the link.
std::vector<std::string> coverage_link_words(const options& chosen);

}  // namespace cohort
