// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/report/memory_findings.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <cohort/base/cuda_error.hpp>

#include "check/memory/allocations.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/report/report_text.hpp"

namespace cohort::check {

namespace {

struct memory_finding {
  memory_problem problem;
  racing_access side;
  std::string memory;
  uint64_t count = 0;
};

struct leak {
  size_t bytes;
  const call_site* made;
};

std::mutex mutex;
auto& fresh = *new std::map<std::tuple<const void*, uint8_t, memory_problem>, memory_finding>;
auto& leaks = *new std::vector<leak>;

std::string in_one_line(std::string text) {
  for (size_t at = text.find("\n "); at != std::string::npos; at = text.find("\n ")) text.erase(at, 2);
  return text;
}

// The texts of a problem: its title in a report; in JSON its name, the rule that it breaks, and a remedy.
struct problem_words {
  const char *title, *name, *rule, *remedy;
};
const problem_words& words_of(memory_problem problem) {
  static constexpr problem_words words[] = {
      {"access outside of memory in ", "outside", "an access must lie inside of one allocation or variable",
       "an index or a size that keeps the access inside"},
      {"read of memory that nothing wrote in ", "unwritten", "memory has no value before its first write",
       "a write, a copy or cudaMemset() before the read"},
      {"wrong address in ", "free", "an address is freed once, as its allocation has returned it",
       "the address of an allocation that is not freed"},
      {"access of host memory in ", "host memory", "a kernel may not access this memory of the host",
       "memory of cudaMalloc, cudaMallocManaged, cudaMallocHost or cudaHostRegister"},
      {"access of device memory by ", "device memory", "host code may not access device memory",
       "cudaMemcpy, or memory of cudaMallocManaged"},
      {"access of shared memory of another block in ", "ended block",
       "shared memory of another block may be accessed until that block ends",
       "a sync() of the cluster after the access"},
      {"misaligned access in ", "misaligned", "an address must be a multiple of the size of the access",
       "an aligned address, or accesses of fewer bytes"}};
  return words[static_cast<size_t>(problem)];
}

// The rule that the access breaks, if the memory's state does not show it.
std::string rule_of(const memory_finding& f) {
  if (f.problem == memory_problem::ended_block) {
    return "nothing orders the access before that block's end; it would be ordered by a sync() of the cluster behind "
           "it";
  }
  if (f.problem == memory_problem::host_memory) {
    return "a kernel needs memory of cudaMalloc, cudaMallocManaged, cudaMallocHost or cudaHostRegister; the launch "
           "fails "
           "with cudaErrorIllegalAddress";
  }
  if (f.problem == memory_problem::device_memory) return "host code needs cudaMemcpy, or memory of cudaMallocManaged";
  if (f.problem != memory_problem::misaligned) return "";
  return "the address must be a multiple of " + std::to_string(f.side.bytes) +
         ", or the launch fails with cudaErrorMisalignedAddress";
}

std::string text_of(const memory_finding& f) {
  const std::string rule = rule_of(f);
  return std::string("cohort: ") + words_of(f.problem).title + title_of(f.side) + ", found " + times(f.count) + "\n" +
         (f.problem == memory_problem::free ? "  freed at " + f.side.place + "\n" : line_of(f.side, false)) + "  " +
         f.memory + "\n" + (rule.empty() ? "" : "  " + rule + "\n");
}

std::string json_of(const memory_finding& f) {
  const problem_words& words = words_of(f.problem);
  const std::string rule = rule_of(f), title = words.title;
  return "{\"check\": \"memory\"" + tools::json_origin() + ", \"problem\": " + tools::quoted(words.name) +
         ", \"title\": " + tools::quoted(title.substr(0, title.rfind(' ', title.size() - 2))) +
         ", \"kernel\": " + tools::quoted(f.side.by.kernel) + ", \"count\": " + std::to_string(f.count) +
         ", \"access\": " + json_of(f.side, false) + ", \"memory\": " + tools::quoted(in_one_line(f.memory)) +
         ", \"rule\": " + tools::quoted(rule.empty() ? words.rule : rule) +
         ", \"remedy\": " + tools::quoted(words.remedy) + json_shape(f.side) + "}\n";
}

std::string describe(const leak& l, bool json) {
  const std::string place = l.made ? place_of(*l.made) : "";
  if (json) {
    return "{\"check\": \"memory\"" + tools::json_origin() +
           ", \"problem\": \"leak\", \"title\": \"leak\", \"bytes\": " + std::to_string(l.bytes) +
           ", \"place\": " + tools::quoted(place) +
           ", \"rule\": \"memory is freed before the reset of its device\", \"remedy\": \"cudaFree() of it\"}\n";
  }
  return "cohort: " + std::to_string(l.bytes) +
         " bytes were not freed before the reset of the device\n  allocated at " +
         (place.empty() ? "an unknown place" : place) + "\n";
}

}  // namespace

void add_memory_problem(memory_problem problem, block_clock& b, uint32_t rank, uint32_t thread, const access& now,
                        std::string (*memory)(const void*, const accessor&)) {
  const std::lock_guard lock(mutex);
  memory_finding& found = fresh[{now.code(), now.flags, problem}];
  if (found.count++ != 0) return;
  found.problem = problem;
  found.side = {now.flags, now.bytes(), now.code(), facts_of(b.launch->number), rank, thread, 0, ""};
  found.memory = memory(reinterpret_cast<const void*>(now.address), {&b, thread});
}

void add_memory_problem(memory_problem problem, const accessor& c, const access& now,
                        std::string (*memory)(const void*, const accessor&)) {
  add_memory_problem(problem, *c.block, c.block->rank, c.thread, now, memory);
}

void add_memory_problem(memory_problem problem, operation_sort sort, size_t bytes, bool writes, std::string memory) {
  const call_site* const site = current_call_site();
  const uint8_t flags = writes ? uint8_t{is_write} : uint8_t{0};
  const std::lock_guard lock(mutex);
  memory_finding& found = fresh[{site, flags, problem}];
  if (found.count++ != 0) return;
  found.problem = problem;
  found.side = {flags, static_cast<uint32_t>(std::min<size_t>(bytes, 255)), site, {}, 0, 0, 0, ""};
  found.side.by.sort = sort;
  found.memory = std::move(memory);
}

bool add_host_problem(const void* place, size_t bytes, uint8_t flags, std::string memory) {
  static auto& known = *new std::set<std::pair<const void*, uint8_t>>;
  const std::lock_guard lock(mutex);
  if (!known.emplace(place, flags).second) return false;
  memory_finding& found = fresh[{place, flags, memory_problem::device_memory}];
  found.count = 1;
  found.problem = memory_problem::device_memory;
  found.side = {flags, static_cast<uint32_t>(std::min<size_t>(bytes, 255)), place, {}, 0, 0, 0, ""};
  found.side.by.sort = operation_sort::host;
  found.memory = "in " + std::move(memory);
  return true;
}

void add_leak(const void* base) {
  known_allocation known;
  if (!find_allocation(base, &known)) return;
  const std::lock_guard lock(mutex);
  leaks.push_back({known.bytes, known.made});
}

std::string take_memory_findings(bool json, int* error) {
  std::map<std::tuple<const void*, uint8_t, memory_problem>, memory_finding> found;
  std::vector<leak> lost;
  {
    const std::lock_guard lock(mutex);
    found.swap(fresh);
    lost.swap(leaks);
  }
  std::vector<const void*> addresses;
  addresses.reserve(found.size());
  for (const auto& [key, f] : found) {
    if (!f.side.is_call()) addresses.push_back(f.side.code);
  }
  const auto places = tools::source_places(addresses);
  for (auto& [key, f] : found) {
    f.side.place = f.side.is_call() ? place_of(*static_cast<const call_site*>(f.side.code)) : places.at(f.side.code);
  }
  // Merges instructions of one line into one finding. Parts of a misaligned value need less alignment than all of it.
  std::map<std::tuple<std::string, uint8_t, memory_problem>, memory_finding> lines;
  for (const auto& [key, f] : found) {
    const auto [at, is_new] = lines.emplace(std::tuple(f.side.place, f.side.flags, f.problem), f);
    memory_finding& line = at->second;
    if (!is_new && f.problem == memory_problem::misaligned && f.side.bytes != line.side.bytes) {
      if (f.side.bytes > line.side.bytes) line = f;
    } else if (!is_new) {
      line.count += f.count;
    }
    if (f.problem == memory_problem::misaligned) *error = error_misaligned_address;
    if (f.problem == memory_problem::host_memory) *error = error_illegal_address;
  }
  std::string text;
  for (const auto& [key, f] : lines) text += json ? json_of(f) : text_of(f);
  for (const leak& l : lost) text += describe(l, json);
  return text;
}

}  // namespace cohort::check
