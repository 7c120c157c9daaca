// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment of cohortcc. No other file of the driver reads it.
#pragma once

#include <string>

namespace cohort {

// First call of the program. A process with more rights than its caller, such as a set-user-ID program (AT_SECURE of
// the auxiliary vector), must not use variables that the caller chose: neither it nor the programs that it starts.
// Removes them all but sets PATH to the folders of the system.
void drop_untrusted_environment();

// The value of a variable, or an empty string if it is not set.
std::string environment_variable(const char* name);

// The folder for temporary files. It is named by TMPDIR, TMP, TEMP or TEMPDIR, or it is /tmp.
struct temporary_root {
  std::string folder;
  std::string variable;  // name of the variable that names the folder; empty for /tmp

  // A sentence about a folder that cannot take files for this reason.
  std::string complaint(const std::string& reason) const;
};

// Throws std::runtime_error with a complaint if the folder does not exist, is no folder or is not writable.
temporary_root find_temporary_root();

}  // namespace cohort
