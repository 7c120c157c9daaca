// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/environment.hpp"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace cohort {
namespace {

// Why the folder cannot take files, or an empty string.
std::string problem_of(const std::string& folder) {
  struct stat found;
  if (stat(folder.c_str(), &found) != 0) {
    return errno == ENOENT ? "does not exist" : "cannot be used: " + std::string(std::strerror(errno));
  }
  if (!S_ISDIR(found.st_mode)) {
    return "is not a folder";
  }
  if (eaccess(folder.c_str(), W_OK | X_OK) != 0) {
    return errno == EACCES ? "is not writable" : "cannot be used: " + std::string(std::strerror(errno));
  }
  return "";
}

}  // namespace

void drop_untrusted_environment() {
  if (getauxval(AT_SECURE) != 0) {
    clearenv();
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  }
}

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string temporary_root::complaint(const std::string& reason) const {
  const std::string what = variable.empty() ? folder + " " : variable + " is '" + folder + "', which ";
  return what + reason + "; name a folder for temporary files in " + (variable.empty() ? "TMPDIR" : variable);
}

temporary_root find_temporary_root() {
  temporary_root root{"/tmp", ""};
  for (const char* name : {"TEMPDIR", "TEMP", "TMP", "TMPDIR"}) {
    if (const std::string folder = environment_variable(name); !folder.empty()) {
      root = {folder, name};
    }
  }
  if (const std::string problem = problem_of(root.folder); !problem.empty()) {
    throw std::runtime_error(root.complaint(problem));
  }
  return root;
}

}  // namespace cohort
