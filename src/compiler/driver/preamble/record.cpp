// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "preamble/record.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

namespace cohort {
namespace {

// The form of the files; a file of another form is ignored.
const std::string magic = "cohort preamble 1";

// Reads a record line by line.
class lines {
 public:
  explicit lines(const std::string& text) : text_(text) {}

  std::string next() {
    const size_t end = text_.find('\n', at_);
    if (end == std::string::npos) {
      complete_ = false;
      return "";
    }
    const std::string line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }
  // A line that is a number, and as many lines after it.
  std::vector<std::string> list() {
    std::vector<std::string> result;
    for (long left = std::atol(next().c_str()); left > 0 && complete_; --left) {
      result.push_back(next());
    }
    return result;
  }
  std::string rest() const { return text_.substr(at_); }
  bool complete() const { return complete_; }

 private:
  const std::string& text_;
  size_t at_ = 0;
  bool complete_ = true;
};

void add_list(std::string& text, const std::vector<std::string>& list) {
  text += std::to_string(list.size()) + '\n';
  for (const std::string& line : list) {
    text += line + '\n';
  }
}

preamble_record::stamp parse_stamp(const std::string& line) {
  char* end = nullptr;
  preamble_record::stamp result;
  result.nanoseconds = std::strtoll(line.c_str(), &end, 10);
  result.bytes = std::strtoll(end, &end, 10);
  result.path = *end == ' ' ? end + 1 : "";
  return result;
}

}  // namespace

bool preamble_record::is_current() const {
  return std::all_of(files.begin(), files.end(), [](const stamp& file) { return stamp_of(file.path) == file; });
}

preamble_record::stamp stamp_of(const std::string& path) {
  struct stat found;
  if (stat(path.c_str(), &found) != 0) {
    return {path, 0, -1};
  }
  return {path, found.st_mtim.tv_sec * 1000000000LL + found.st_mtim.tv_nsec, static_cast<long long>(found.st_size)};
}

std::optional<preamble_record> parse_record(const std::string& text, const std::string& key) {
  lines in(text);
  preamble_record record;
  if (in.next() != magic || in.next() != key) {
    return std::nullopt;
  }
  record.key = key;
  record.header = in.next();
  for (const std::string& line : in.list()) {
    record.files.push_back(parse_stamp(line));
  }
  record.words = in.list();
  record.searched = in.list();
  record.identifiers = in.rest();
  if (!in.complete() || record.identifiers.empty() || record.identifiers.back() != '\n') {
    return std::nullopt;
  }
  return record;
}

std::string text_of(const preamble_record& record) {
  std::string text = magic + '\n' + record.key + '\n' + record.header + '\n';
  std::vector<std::string> stamps;
  for (const auto& file : record.files) {
    stamps.push_back(std::to_string(file.nanoseconds) + ' ' + std::to_string(file.bytes) + ' ' + file.path);
  }
  add_list(text, stamps);
  add_list(text, record.words);
  add_list(text, record.searched);
  return text + record.identifiers;
}

}  // namespace cohort
