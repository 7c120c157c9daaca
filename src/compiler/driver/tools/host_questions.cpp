// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/host_questions.hpp"

#include <algorithm>

#include "process.hpp"

namespace cohort {
namespace {

bool is_question(const std::string& word) {
  for (const char* asked : {"--version", "--help", "-dumpversion", "-dumpmachine", "-dumpfullversion"}) {
    if (word == asked) {
      return true;
    }
  }
  return word.rfind("-print-", 0) == 0 || word.rfind("--print-", 0) == 0;
}

}  // namespace

std::optional<int> answer_host_question(const options& chosen, const toolchain& tools) {
  if (std::none_of(chosen.host.begin(), chosen.host.end(), is_question)) {
    return std::nullopt;
  }
  std::vector<std::string> command = {tools.clang};
  for (const auto& word : chosen.host) {
    if (word != "-dumpfullversion") {  // of g++ alone; -dumpversion of clang is the full version
      command.push_back(word);
    } else if (std::find(chosen.host.begin(), chosen.host.end(), "-dumpversion") == chosen.host.end()) {
      command.emplace_back("-dumpversion");
    }
  }
  return child(command, "").wait();
}

}  // namespace cohort
