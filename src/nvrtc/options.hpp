// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of a compilation, from options.inc.
#pragma once

#include <string>
#include <vector>

namespace cohort::nvrtc {

struct option_set {
  std::vector<std::string> words;            // the arguments of cohortcc
  std::vector<std::string> include_folders;  // in the order of their options
  int architecture = 75;
  std::string architecture_features;  // "a" or "f" if it follows the architecture
  bool real_architecture = false;     // sm_XX: the program gets a cubin, too
  bool default_device = false;
  bool source_folder = true;  // headers are also searched in the folder of the source
  bool brief = false;         // messages have no lines of the source
  bool numbers = true;        // warnings have their numbers
  bool syntax_only = false;
  bool cache = true;
};

// Reads the options. Returns an empty text, or NVRTC's sentence about the first wrong one.
std::string read_options(int count, const char* const* options, option_set* result);

// The architectures that --gpu-architecture takes, ascending.
const std::vector<int>& supported_architectures();

}  // namespace cohort::nvrtc
