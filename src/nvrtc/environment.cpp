// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/environment.hpp"

#include <cstdlib>

namespace cohort::nvrtc {

std::string environment_variable(const char* name) {
  const char* const value = secure_getenv(name);
  return value ? value : "";
}

std::string temporary_root() {
  std::string root = "/tmp";
  for (const char* name : {"TEMPDIR", "TEMP", "TMP", "TMPDIR"}) {
    if (const std::string folder = environment_variable(name); !folder.empty()) root = folder;
  }
  return root;
}

}  // namespace cohort::nvrtc
