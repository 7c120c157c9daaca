// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/report/host_memory.hpp"

#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace cohort::check {

namespace {

struct mapping {
  uintptr_t end = 0;
  bool is_private = false;  // private and writable
  std::string name;         // name of the file, or "[heap]"; empty: anonymous
};

// Reads the mappings of the process from the system. Keys: their first addresses.
std::map<uintptr_t, mapping> read_mappings() {
  std::map<uintptr_t, mapping> result;
  std::FILE* const file = std::fopen("/proc/self/maps", "r");
  if (!file) return result;
  char line[4096];
  while (std::fgets(line, sizeof line, file)) {
    unsigned long first = 0, end = 0;
    char rights[5] = {}, name[4096] = {};
    if (std::sscanf(line, "%lx-%lx %4s %*s %*s %*s %4095[^\n]", &first, &end, rights, name) < 3) continue;
    result[first] = {end, rights[1] == 'w' && rights[3] == 'p', name};
  }
  std::fclose(file);
  return result;
}

std::optional<mapping> find(const std::map<uintptr_t, mapping>& all, uintptr_t at) {
  const auto after = all.upper_bound(at);
  if (after == all.begin()) return {};
  const mapping& before = std::prev(after)->second;
  return at < before.end ? std::optional(before) : std::nullopt;
}

}  // namespace

std::string describe_host_memory(const void* address) {
  static std::mutex mutex;
  static auto& mappings = *new std::map<uintptr_t, mapping>;
  const auto at = reinterpret_cast<uintptr_t>(address);
  std::optional<mapping> found;
  {
    const std::lock_guard lock(mutex);
    found = find(mappings, at);
  }
  if (!found) {  // the mapping was made since the last reading
    auto now = read_mappings();
    found = find(now, at);
    const std::lock_guard lock(mutex);
    mappings = std::move(now);
  }
  if (!found || !found->is_private) return "";
  if (found->name == "[stack]") return "the stack of the host";
  if (found->name == "[heap]") return "the heap of the host";
  return found->name.empty() ? "memory of the host" : "a variable of the host";
}

}  // namespace cohort::check
