// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of the compiler in the form of NVRTC's log.
#pragma once

#include <string>

namespace cohort::nvrtc {

struct log_form {
  std::string program;  // the name of the source
  bool brief = false;   // no lines of the source below a message
  bool numbers = true;  // warnings have their numbers
};

// Turns `a:3:5: error: text` into `a(3): error: text`, and adds the number of errors.
std::string nvrtc_log(const std::string& messages, const log_form& form);

}  // namespace cohort::nvrtc
