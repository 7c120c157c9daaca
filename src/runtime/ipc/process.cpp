// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ipc/process.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

namespace cohort::runtime {

namespace {

// The time at which the process started; 0 if it has ended; nothing if the system does not report it.
std::optional<uint64_t> start_of(int32_t number) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", number);
  std::FILE* const file = std::fopen(path, "re");
  if (!file) return std::nullopt;
  char text[1024];
  const size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[length] = 0;
  // The name, which may have spaces and parentheses, ends at the last parenthesis. Field 3 follows it.
  const char* const behind_name = std::strrchr(text, ')');
  char state = 0;
  int threads = 0;
  unsigned long long start = 0;
  if (!behind_name ||
      std::sscanf(behind_name + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d %*s %llu",
                  &state, &threads, &start) != 3) {
    return std::nullopt;
  }
  // The first thread of a process may end before the others.
  const bool has_ended = state == 'X' || (state == 'Z' && threads <= 1);
  return has_ended ? 0 : start;
}

}  // namespace

process_id this_process() {
  thread_local process_id known;
  const auto number = static_cast<int32_t>(getpid());
  if (known.number != number) known = {number, start_of(number).value_or(0)};
  return known;
}

bool is_alive(const process_id& process) {
  if (process.number <= 0 || process.start == 0) return false;
  if (const auto start = start_of(process.number)) return *start == process.start;
  // The mount option hidepid hides processes of other users, such as root.
  return kill(process.number, 0) != 0 && errno == EPERM;
}

}  // namespace cohort::runtime
