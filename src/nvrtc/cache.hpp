// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of compilations, in memory and, with COHORT_CACHE=folder, on disk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cohort::nvrtc {

// A file that a compilation has read. A result is valid as long as all of them are as they were.
struct read_file_stamp {
  std::string path;
  int64_t nanoseconds = 0;  // time of the last change
  int64_t bytes = 0;
};

// The results of a compilation without errors.
struct compiled {
  std::string image;  // the compiled program, as text
  std::string log;
  std::vector<std::string> lowered_names;
  std::vector<read_file_stamp> files;
};

// The stamp of a file; its size is -1 if there is none.
read_file_stamp stamp_of(const std::string& path);

// Finds the result for a key, which is the text of all that the result depends on except the files that the compiler
// reads. Returns false if there is none.
bool find_compiled(const std::string& key, compiled* result);

// Stores a result. If the file cannot be written, no error is reported: the next compilation runs the compiler again.
void store_compiled(const std::string& key, const compiled& result);

}  // namespace cohort::nvrtc
