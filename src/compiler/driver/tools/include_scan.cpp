// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/include_scan.hpp"

#include <filesystem>
#include <fstream>
#include <set>

namespace cohort {
namespace {

namespace fs = std::filesystem;

// Reads the name of an include directive, and whether it stands in quotation marks.
bool parse_include(const std::string& line, std::string& name, bool& quoted) {
  const auto skip_blanks = [&](size_t from) { return line.find_first_not_of(" \t", from); };
  const size_t hash = skip_blanks(0);
  if (hash == std::string::npos || line[hash] != '#') {
    return false;
  }
  const size_t word = skip_blanks(hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) {
    return false;
  }
  const size_t begin = skip_blanks(word + 7);
  if (begin == std::string::npos || (line[begin] != '<' && line[begin] != '"')) {
    return false;
  }
  quoted = line[begin] == '"';
  const size_t end = line.find(quoted ? '"' : '>', begin + 1);
  if (end == std::string::npos) {
    return false;
  }
  name = line.substr(begin + 1, end - begin - 1);
  return true;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::string find_header(const std::string& name, bool quoted, const fs::path& beside,
                        const std::vector<std::string>& folders) {
  if (quoted && is_file(beside / name)) {
    return (beside / name).lexically_normal();
  }
  for (const std::string& folder : folders) {
    if (is_file(fs::path(folder) / name)) {
      return (fs::path(folder) / name).lexically_normal();
    }
  }
  return {};
}

}  // namespace

bool includes(const std::string& source, const std::vector<std::string>& folders,
              const std::function<bool(const std::string& name)>& wanted) {
  std::set<std::string> seen = {source};
  std::vector<std::string> left = {source};
  while (!left.empty()) {
    const std::string path = left.back();
    left.pop_back();
    std::ifstream file(path);
    std::string name;
    bool quoted = false;
    for (std::string line; std::getline(file, line);) {
      if (!parse_include(line, name, quoted)) {
        continue;
      }
      if (wanted(name)) {
        return true;
      }
      const std::string header = find_header(name, quoted, fs::path(path).parent_path(), folders);
      if (!header.empty() && seen.insert(header).second) {
        left.push_back(header);
      }
    }
  }
  return false;
}

}  // namespace cohort
