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
  // `pattern`: the path; %p in it stands for the process, %% for a percent sign.
  trace_file(std::string pattern, uint64_t limit) : pattern_(std::move(pattern)), limit_(limit) {}
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  // Creates the file, for its owner alone, or empties one that exists. Refuses, with a sentence on stderr, what is no
  // regular file, and a file that another process writes.
  bool open();
  bool is_open() const { return file_ >= 0; }
  // The limit that made write() take less than all of a text.
  const char* limit_name() const;
  // Appends lines, as many as the limit allows. Returns how many bytes of them the file took.
  size_t write(std::string_view text);
  // Appends text without regard to the limit, and closes the file.
  void close_with(std::string_view text);
  // After a fork, in the child: the file stays the parent's. True if the child's would be another one.
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
  bool ended_ = false;  // the system took no more
  int file_ = -1;
  uint64_t device_ = 0, number_ = 0;  // of the file: a program may close all files, and open others with their numbers
};

}  // namespace cohort::engine
