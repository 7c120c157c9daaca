// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/thread_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "engine/state/block.hpp"

namespace cohort::engine {

namespace {

constexpr uint64_t unlimited = ~uint64_t{0};

// A suspended thread touches the topmost page of its stack, and often the next one. Deep call chains touch more, which
// the quarter that find_thread_memory() leaves must cover.
constexpr uint64_t touched_stack_bytes = 2 * 4096;
// A page table maps 2 MiB, so only a few stacks share one.
constexpr uint64_t page_table_bytes = 4096;
constexpr uint64_t bytes_per_page_table = 2 << 20;

uint64_t page_bytes() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }

// The number in a file that holds one word; ~0 for "max" and for a missing file.
uint64_t read_limit(const std::string& path) {
  uint64_t value = 0;
  return std::ifstream(path) >> value ? value : unlimited;
}

// Address space for all threads. Without a limit it is half of the 2^47 bytes that a process has on x86-64. With a
// limit it is a quarter of the rest: device memory reserves half, and malloc maps 64 MiB for each OS thread.
uint64_t address_space_for_threads() {
  constexpr uint64_t half = sizeof(void*) == 8 ? uint64_t{1} << 46 : uint64_t{1} << 30;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return half;
  uint64_t pages = 0;  // pages that are mapped now
  std::ifstream("/proc/self/statm") >> pages;
  const uint64_t mapped = pages * page_bytes();
  return std::min<uint64_t>(half, (limit.rlim_cur - std::min<uint64_t>(limit.rlim_cur, mapped)) / 4);
}

std::string read_text(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

uint64_t control_group_limit(const std::string& list, const std::string& root) {
  uint64_t least = unlimited;
  std::istringstream lines(list);
  // "0::/path" for the unified hierarchy, "4:memory:/path" for the older one.
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers != "memory") continue;
    const std::string folder = root + (controllers.empty() ? "" : "/memory");
    const std::string file = controllers.empty() ? "/memory.max" : "/memory.limit_in_bytes";
    // The limits of all enclosing groups apply too. In a container the path may exist only on the host.
    for (std::string group = line.substr(second + 1);; group.resize(group.rfind('/'))) {
      if (group == "/") group.clear();
      least = std::min(least, read_limit(std::string(folder).append(group).append(file)));
      if (group.find('/') == std::string::npos) break;
    }
  }
  return least;
}

thread_memory find_thread_memory(int devices) {
  const uint64_t machine = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
  const uint64_t memory = std::min(machine, control_group_limit(read_text("/proc/self/cgroup"), "/sys/fs/cgroup"));
  const uint64_t count = static_cast<uint64_t>(devices);
  return {memory / (4 * count) * 3, address_space_for_threads() / count};
}

uint64_t blocks_that_fit(const thread_memory& memory, uint32_t threads, size_t shared_bytes, size_t stack_bytes) {
  const uint64_t distance = stack_pool::distance(stack_bytes);
  const uint64_t table = std::min(page_table_bytes, distance * page_table_bytes / bytes_per_page_table);
  const uint64_t thread = touched_stack_bytes + table + sizeof(stack) + sizeof(lane) + sizeof(fiber) + sizeof(context) +
                          cohort_exchange_bytes;
  const uint64_t resident = threads * thread + sizeof(block) + shared_bytes;
  const uint64_t address = threads * (distance + thread) + sizeof(block) + shared_bytes;
  return std::min(memory.resident_bytes / resident, memory.address_bytes / address);
}

}  // namespace cohort::engine
