// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options/option_table.hpp"

#include <algorithm>

#include "options/words.hpp"

namespace cohort {
namespace {

// The kinds of warnings that nvcc's -Werror takes, with the numbers of their warnings.
struct warning_kind {
  const char* name;
  const char* numbers;  // empty: clang's own -Werror=<name> does it, for C++ files, too
};
const warning_kind warning_kinds[] = {{"all-warnings", ""},
                                      {"cross-execution-space-call", "20011,20013"},
                                      {"default-stream-launch", "20198"},
                                      {"deprecated-declarations", ""},
                                      {"ext-lambda-captures-this", "20178"},
                                      {"reorder", ""}};

const warning_kind* find_kind(const std::string& name) {
  const auto* found = std::find_if(std::begin(warning_kinds), std::end(warning_kinds),
                                   [&](const warning_kind& kind) { return name == kind.name; });
  return found == std::end(warning_kinds) ? nullptr : found;
}

// Adds a word for the plugin, such as "suppress=177,550".
auto add(const std::string& prefix) {
  return [prefix](options& o, const std::string& value) { o.warnings.push_back(prefix + value); };
}

auto show(const std::string& numbers) {
  return [numbers](options& o, const std::string&) { o.warnings.push_back("warn=" + numbers); };
}

void make_all_errors(options& o, const std::string&) {
  o.warnings.push_back("error");
  o.warnings_are_errors = true;
}

// Reads --diag_suppress=177 and similar words after -Xcudafe.
void read_cudafe_words(options& o, const std::string& value) {
  for (const std::string& word : split_words(value)) {
    bool is_known = false;
    for (const char* severity : {"suppress", "warning", "error", "remark"}) {
      const std::string start = std::string("--diag_") + severity + "=";
      if (word.rfind(start, 0) == 0) {
        const std::string name = severity == std::string("remark") ? "suppress" : severity;
        o.warnings.push_back((name == "warning" ? "warn" : name) + "=" + word.substr(start.size()));
        is_known = true;
      }
    }
    if (!is_known) {
      o.notes.push_back("cudafe++ does not run");
    }
  }
}

}  // namespace

// clang-format off: one option, one row
std::vector<option_rule> warning_options() {
  return {
      {{"Werror"}, takes::nothing, "", make_all_errors, ""},
      {{"diag-suppress"}, takes::value, "N,N", add("suppress="),
       "hide nvcc's warnings of these numbers; also -diag-warn and -diag-error"},
      {{"diag-warn"}, takes::value, "", add("warn="), ""},
      {{"diag-error"}, takes::value, "", add("error="), ""},
      {{"err-no", "display-error-number"}, takes::nothing, "", add("numbers"), ""},
      {{"no-err-no", "no-display-error-number"}, takes::nothing, "", add("no-numbers"), ""},
      {{"Xcudafe"}, takes::value, "", read_cudafe_words, ""},
      {{"Wdefault-stream-launch"}, takes::nothing, "", show("20198"), ""},
      {{"Wext-lambda-captures-this"}, takes::nothing, "", show("20178"), ""},
      {{"Wmissing-launch-bounds"}, takes::nothing, "", show("20238"), ""},
  };
}
// clang-format on

bool names_warning_kinds(const std::string& list) {
  const auto kinds = split_list(list);
  return !kinds.empty() && std::all_of(kinds.begin(), kinds.end(), [](const auto& kind) { return find_kind(kind); });
}

void add_warning_kinds(options& o, const std::string& list) {
  for (const auto& name : split_list(list)) {
    const warning_kind* kind = find_kind(name);
    if (name == "all-warnings") {
      make_all_errors(o, "");
    } else if (*kind->numbers) {
      o.warnings.push_back(std::string("error=") + kind->numbers);
    } else {
      o.frontend.push_back("-Werror=" + name);
    }
  }
}

}  // namespace cohort
