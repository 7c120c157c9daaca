// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of the compiler in the form of NVRTC's log.
#pragma once

#include <string>

namespace cohort::nvrtc {

struct log_form {
  std::string program;  // the name of the source
  bool brief = false;   // without the lines of the source
  bool numbers = true;  // with the numbers of warnings
};

// Turns `a:3:5: error: text` into `a(3): error: text`, and adds the number of errors.
std::string nvrtc_log(const std::string& messages, const log_form& form);

}  // namespace cohort::nvrtc
