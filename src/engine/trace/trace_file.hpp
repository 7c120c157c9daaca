// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of a trace: a JSON array of trace events (the Trace Event Format of Chromium, read by Perfetto). A file that
// lacks its last bracket, because its process was killed, is still read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cohort::engine {

class trace_file {
 public:
  // Prepares a file that open() creates. `pattern`: the path, in which %p stands for the number of the process and %%
  // for a percent sign.
  trace_file(std::string pattern, uint64_t limit) : pattern_(std::move(pattern)), limit_(limit) {}
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  // Creates the file with mode 0600, or empties an existing regular file and sets that mode. Refuses other kinds of
  // files, and one that another process writes, with a sentence on stderr.
  bool open();
  bool is_open() const { return file_ >= 0; }
  // The name of the limit that made write() write less than all of a text.
  const char* limit_name() const;
  // Appends as many lines as the limit allows. Returns how many of their bytes were written.
  size_t write(std::string_view text);
  // Appends text without regard to the limit, and closes the file.
  void close_with(std::string_view text);
  // Called in the child of a fork: leaves the file to the parent. True if the pattern names another file for the child.
  bool leave_to_parent();

 private:
  bool refuse(const char* why);
  bool is_still_open() const;
  bool write_all(std::string_view text);
  void cut_back();
  uint64_t room() const;

  const std::string pattern_;
  std::string path_;
  const uint64_t limit_;
  uint64_t written_ = 0;
  bool ended_ = false;  // the system refused a write
  int file_ = -1;
  uint64_t device_ = 0, number_ = 0;  // identify the file: a program may close it and reuse its descriptor
};

}  // namespace cohort::engine
