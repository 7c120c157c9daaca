// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/host_tools.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "system/process.hpp"

namespace cohort {

namespace {

namespace fs = std::filesystem;

// The folder of clang's libraries.
fs::path libraries_of(const toolchain& tools) {
  std::error_code ignored;
  return fs::canonical(tools.clang, ignored).parent_path().parent_path() / "lib";
}

void name_package(const char* feature, const char* runtime, const char* package) {
  std::fprintf(stderr, "cohortcc: error: %s needs clang's %s runtime. On Debian and Ubuntu: apt-get install %s\n",
               feature, runtime, package);
}

}  // namespace

void explain_missing_host_tools(const toolchain& tools) {
  const bool has_headers =
      child({tools.clang, "-E", "-x", "c++", "-include", "cstdlib", "/dev/null", "-o", "/dev/null"}, "/dev/null")
          .wait() == 0;
  if (has_headers && !find_in_path("ld").empty()) {
    return;
  }
  std::fprintf(stderr,
               "cohortcc: error: %s not found. cohortcc takes the C++ standard library, the C library and the linker "
               "from g++. On Debian and Ubuntu: apt-get install g++\n",
               has_headers ? "the linker 'ld' was" : "the headers of the C++ standard library were");
}

void explain_missing_openmp(const toolchain& tools) {
  std::error_code ignored;
  if (!fs::exists(libraries_of(tools) / "libomp.so", ignored)) {
    name_package("-fopenmp", "OpenMP", "libomp-19-dev");
  }
}

void explain_missing_counters(const toolchain& tools) {
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(libraries_of(tools) / "clang", ignored)) {
    if (entry.path().filename().string().rfind("libclang_rt.profile", 0) == 0) {
      return;
    }
  }
  name_package("coverage", "profile", "libclang-rt-19-dev");
}

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
    if (word != "-dumpfullversion") {  // an option of g++ only; clang's -dumpversion prints the full version
      command.push_back(word);
    } else if (std::find(chosen.host.begin(), chosen.host.end(), "-dumpversion") == chosen.host.end()) {
      command.emplace_back("-dumpversion");
    }
  }
  return child(command, "").wait();
}

}  // namespace cohort
