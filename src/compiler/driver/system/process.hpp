// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes and files. Children and temporary files end with the program, however it ends.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cohort {

// A new folder for temporary files. The destructor removes it with all its files, also after Ctrl-C. After SIGKILL no
// destructor runs: the constructor removes the folders of this user's programs that ended so.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  bool holds(const std::string& file) const { return std::filesystem::path(file).parent_path() == path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // a file in the folder, locked while this program runs
};

// A running program whose error output goes to a file. It gets SIGTERM when this program ends without a wait for it.
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

// The bytes of a file; none if it cannot be read.
std::string read_file(const std::string& path);

std::string shell_quoted(const std::vector<std::string>& command);
// From now on Ctrl-C and the like end the children, and the caller continues to clean up.
void handle_interrupts();
bool interrupted();

}  // namespace cohort
