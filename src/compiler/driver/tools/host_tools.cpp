// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_tools.hpp"

#include <cstdio>

#include "../process.hpp"

namespace cohort {

void explain_missing_host_tools(const toolchain& tools) {
  const bool has_headers =
      child({tools.clang, "-E", "-x", "c++", "-include", "cstdlib", "/dev/null", "-o", "/dev/null"}, "/dev/null")
          .wait() == 0;
  if (has_headers && !find_in_path("ld").empty()) {
    return;
  }
  std::fprintf(stderr,
               "cohortcc: error: %s not found. cohortcc takes the C++ standard library, the C library and the linker "
               "from g++. On Debian and Ubuntu: apt-get install g++\n",
               has_headers ? "the linker 'ld' was" : "the headers of the C++ standard library were");
}

}  // namespace cohort
