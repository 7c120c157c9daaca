// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/report/addr2line.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <sstream>

#include "engine/report/program_output.hpp"
#include "engine/settings/environment.hpp"
#include "engine/settings/settings.hpp"

namespace cohort::engine {

namespace {

// A report without lines is better than an endless wait, for example for a file system that does not respond.
constexpr std::chrono::seconds time_limit{10};

// LLVM's program accepts the options of binutils.
constexpr const char* program_names[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-19"};

// Skips relative folders: a program must not start files of its current folder.
std::string find_in_absolute_folders(const std::string& path_list) {
  for (const char* name : program_names) {
    std::istringstream folders(path_list);
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (folder.compare(0, 1, "/") != 0) continue;
      const std::string candidate = folder + "/" + name;
      if (is_program(candidate)) return candidate;
    }
  }
  return "";
}

}  // namespace

const std::string& find_addr2line() {
  static const std::string path = [] {
    if (const std::string named = read_program_setting("COHORT_ADDR2LINE"); !named.empty()) return named;
    const char* path_list = environment_variable("PATH");
    return find_in_absolute_folders(path_list ? path_list : "/usr/local/bin:/usr/bin:/bin");
  }();
  return path;
}

std::string run_addr2line(const std::string& path, const std::vector<uintptr_t>& offsets) {
  static std::atomic<bool> was_too_slow{false};
  if (find_addr2line().empty() || was_too_slow.load(std::memory_order_relaxed)) return "";
  std::vector<std::string> command = {find_addr2line(), "-a", "-i", "-f", "-C", "-e", path};
  for (const uintptr_t offset : offsets) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", static_cast<size_t>(offset));
    command.emplace_back(text);
  }
  const program_result result = program_output(command, time_limit);
  if (result.ended) return result.output;
  was_too_slow.store(true, std::memory_order_relaxed);
  return "";
}

}  // namespace cohort::engine
