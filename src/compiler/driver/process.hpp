// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes and temporary files. The files are removed however the program ends.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cohort {

// A new folder for temporary files. The destructor removes it with all its files, also after Ctrl-C.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// A running program whose error output goes to a file.
class child {
 public:
  // Starts the program. With an empty `error_file`, errors go to the terminal.
  child(const std::vector<std::string>& command, const std::string& error_file);
  // Waits for the end. Returns the exit status; 128 + n if signal n ended the program.
  int wait();
  void stop();

 private:
  int pid_ = -1;
};

std::string shell_quoted(const std::vector<std::string>& command);
// From now on Ctrl-C and the like end the children, and the caller continues to clean up.
void handle_interrupts();
bool interrupted();

}  // namespace cohort
