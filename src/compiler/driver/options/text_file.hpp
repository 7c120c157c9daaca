// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace cohort {

// The bytes of a file; none if it cannot be read.
inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace cohort
