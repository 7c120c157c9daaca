// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/log.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace cohort::nvrtc {
namespace {

enum class severity { note, warning, error, fatal };

struct kind {
  std::string_view clang, nvrtc;
  severity level;
};

constexpr kind kinds[] = {
    {": fatal error: ", "catastrophic error", severity::fatal},
    {": error: ", "error", severity::error},
    {": warning: ", "warning", severity::warning},
    {": note: ", "note", severity::note},
    {": remark: ", "remark", severity::note},
};

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

struct message {
  const kind* what = nullptr;  // null: no message begins in the line
  std::string place;           // file and line, such as "a(3)"
  std::string text;
  std::string number;  // number of the warning, such as "177-D"
};

// Moves the marks "[-Wname]" and "[#177-D]" from the end of the text into the message.
void take_marks(message* found) {
  std::string& text = found->text;
  while (!text.empty() && text.back() == ']') {
    const size_t at = text.rfind(" [");
    if (at == std::string::npos) return;
    const std::string mark = text.substr(at + 2, text.size() - at - 3);
    if (mark.rfind("-W", 0) != 0 && mark.rfind('#', 0) != 0) return;
    if (mark[0] == '#') found->number = mark.substr(1);
    text.resize(at);
  }
}

// "file:3:5" as "file(3)"; empty for another text.
std::string place_of(std::string_view text) {
  const size_t column = text.rfind(':');
  const size_t line = column == std::string_view::npos ? column : text.rfind(':', column - 1);
  if (line == std::string_view::npos || line == 0) return "";
  const std::string_view number = text.substr(line + 1, column - line - 1);
  if (!is_number(number) || !is_number(text.substr(column + 1))) return "";
  return std::string(text.substr(0, line)) + "(" + std::string(number) + ")";
}

message read_message(const std::string& line) {
  message found;
  size_t first = std::string::npos;
  for (const kind& each : kinds) {
    const size_t at = line.find(each.clang);
    if (at == std::string::npos || at >= first) continue;
    const std::string place = place_of(std::string_view(line).substr(0, at));
    if (place.empty()) continue;
    first = at;
    found = {&each, place, line.substr(at + each.clang.size()), ""};
  }
  if (found.what) take_marks(&found);
  return found;
}

// Replaces clang's sentence about a missing header by NVRTC's: programs read the name of the header from it.
std::string in_words_of_nvrtc(const std::string& text) {
  constexpr std::string_view missing = "' file not found";
  const bool is_missing = text.size() > missing.size() && text[0] == '\'' && text.ends_with(missing);
  return is_missing ? "cannot open source file \"" + text.substr(1, text.size() - missing.size() - 1) + "\"" : text;
}

bool is_summary(const std::string& line) {
  return line.rfind("In file included from ", 0) == 0 || line.find(" generated when compiling ") != std::string::npos ||
         line.ends_with(" generated.");
}

}  // namespace

std::string nvrtc_log(const std::string& messages, const log_form& form) {
  std::ostringstream log;
  std::istringstream lines(messages);
  int errors = 0;
  bool fatal = false, in_message = false;
  for (std::string line; std::getline(lines, line);) {
    if (is_summary(line)) continue;
    const message found = read_message(line);
    if (!found.what) {
      if (!form.brief || !in_message) log << (in_message ? "  " : "") << line << '\n';
      continue;
    }
    if (in_message && !form.brief) log << '\n';
    in_message = true;
    errors += found.what->level >= severity::error;
    fatal |= found.what->level == severity::fatal;
    const bool numbered = form.numbers && !found.number.empty() && found.what->level == severity::warning;
    log << found.place << ": " << found.what->nvrtc << (numbered ? " #" + found.number : "") << ": "
        << in_words_of_nvrtc(found.text) << '\n';
  }
  if (in_message) log << '\n';
  if (errors != 0) {
    log << errors << (fatal ? " catastrophic" : "") << (errors == 1 ? " error" : " errors")
        << " detected in the compilation of \"" << form.program << "\".\n";
  }
  if (fatal) log << "Compilation terminated.\n";
  return log.str();
}

}  // namespace cohort::nvrtc
