// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

namespace cohort {
namespace {

// One diagnostic: its "In file included from" lines, the message, the source lines and the notes.
using block = std::string;

std::string without_color(const std::string& line) {
  std::string plain;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\033') {
      while (i < line.size() && line[i] != 'm') {
        ++i;
      }
    } else {
      plain += line[i];
    }
  }
  return plain;
}

constexpr std::string_view summary = " generated when compiling for ";

bool is_summary(const std::string& line) {
  return line.find(summary) != std::string::npos || line.find(" generated.") != std::string::npos;
}

bool is_error(const block& diagnostic) {
  return std::min(diagnostic.find(": error: "), diagnostic.find(": fatal error: ")) <
         std::min(diagnostic.find(": warning: "), diagnostic.find(": remark: "));
}

std::vector<block> split(const std::string& text) {
  std::vector<block> blocks;
  std::istringstream lines(text);
  std::string context;  // "In file included from" lines of the next message
  for (std::string line; std::getline(lines, line);) {
    const std::string plain = without_color(line);
    if (is_summary(plain)) {
      continue;
    }
    if (plain.rfind("In file included from ", 0) == 0) {
      context += line + '\n';
      continue;
    }
    const bool begins =
        plain.find(": warning: ") != std::string::npos || plain.find(": error: ") != std::string::npos ||
        plain.find(": fatal error: ") != std::string::npos || plain.find(": remark: ") != std::string::npos;
    if (begins || blocks.empty()) {
      blocks.emplace_back();
    }
    blocks.back() += context + line + '\n';
    context.clear();
  }
  return blocks;
}

}  // namespace

std::string with_named_pass(const std::string& text, const std::string& code) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(summary);
    const bool is_counted = at != std::string::npos && line.find_first_not_of("0123456789") == line.find(' ');
    result += (is_counted ? line.substr(0, at) + " generated when compiling " + code + "." : line) + '\n';
  }
  return result;
}

std::string only_new_diagnostics(const std::string& text, const std::string& printed) {
  const auto first = split(printed);
  const std::set<block> known(first.begin(), first.end());
  std::string result;
  size_t errors = 0;
  for (const auto& diagnostic : split(text)) {
    if (!known.count(diagnostic)) {
      result += diagnostic;
      errors += is_error(without_color(diagnostic));
    }
  }
  if (errors != 0) {
    result +=
        std::to_string(errors) + (errors == 1 ? " error" : " errors") + " generated when compiling device code.\n";
  }
  return result;
}

std::string without_failed_write(const std::string& text, const std::string& output) {
  const std::string marker = "IO failure on output stream: ";
  const size_t at = text.find(marker);
  if (at == std::string::npos) {
    return text;
  }
  const size_t reason = at + marker.size(), line = text.rfind('\n', at);
  return text.substr(0, line == std::string::npos ? 0 : line + 1) + "cohortcc: error: cannot write " + output + ": " +
         text.substr(reason, text.find('\n', reason) - reason) + '\n';
}

}  // namespace cohort
