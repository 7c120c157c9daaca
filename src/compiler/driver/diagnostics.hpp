// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace cohort {

// Clang's closing line names the target of a pass, which is a CPU: "1 error generated when compiling for znver3."
// Returns `text` with `code` in its place: "host code" or "device code".
std::string with_named_pass(const std::string& text, const std::string& code);

// Returns the diagnostics of the device pass, `text`, that are not in `printed`, the host pass's, and the number of
// errors among them in place of clang's closing line.
std::string only_new_diagnostics(const std::string& text, const std::string& printed);

// Clang reports a failed write, as to a full disk, as an error of its own, with its stack. Returns `text` with a
// sentence in place of these lines.
std::string without_failed_write(const std::string& text, const std::string& output);

}  // namespace cohort
