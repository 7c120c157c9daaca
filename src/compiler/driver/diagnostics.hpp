// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace cohort {

// Returns the diagnostics of the second pass, `text`, that are not in `printed`, the first pass's. Drops clang's
// closing line ("2 warnings generated ...").
std::string only_new_diagnostics(const std::string& text, const std::string& printed);

// Clang takes a failed write, as to a full disk, for an error of its own, and prints its stack. Returns `text` with a
// sentence in the place of that.
std::string without_failed_write(const std::string& text, const std::string& output);

}  // namespace cohort
