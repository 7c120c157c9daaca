// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace cohort {

// The diagnostics of the second pass `text` that the first pass has not printed in `printed`. clang's closing line
// ("2 warnings generated ...") is dropped.
std::string only_new_diagnostics(const std::string& text, const std::string& printed);

}  // namespace cohort
