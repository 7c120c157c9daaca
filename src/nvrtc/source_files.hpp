// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts of a program as files for the compiler, in a folder that ends with the object.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cohort::nvrtc {

struct source_texts {
  std::string name, source;
  std::vector<std::pair<std::string, std::string>> headers;  // name in #include, and text
  std::vector<std::string> expressions;
};

class source_files {
 public:
  // Writes the files. default_device: functions and variables without a mark are device code. Throws std::runtime_error
  // where the files cannot be written.
  source_files(const source_texts& texts, bool default_device);
  source_files(const source_files&) = delete;
  ~source_files();

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  bool holds(const std::string& path) const { return path.rfind(folder_ + "/", 0) == 0; }
  std::string source() const { return path("source/program.cu"); }
  // The folder from which #include finds the headers.
  const std::string& headers() const { return headers_; }
  // A table for clang's -ivfsoverlay; empty unless a header's name is an absolute path.
  const std::string& overlay() const { return overlay_; }

 private:
  void write(const std::string& path, const std::string& text) const;
  void write_headers(const source_texts& texts);

  std::string folder_, headers_, overlay_;
};

}  // namespace cohort::nvrtc
