// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/report/sync_findings.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "check/memory/tool_ports.hpp"
#include "check/order/clocks.hpp"

namespace cohort::check {

namespace {

struct sync_finding {
  sync_problem problem = sync_problem::divergent;
  wait_kind kind = wait_kind::block;
  sync_side first, second;
  std::string memory;
  std::string owner;              // the thread or block that a pointer belongs to
  uint32_t threads_of_group = 0;  // size of the group, for a partial copy
  uint64_t count = 0;

  bool has_two_sides() const { return second.access.code != nullptr; }
  // True if both sides have one line, in a function that the kernel calls at several places.
  bool has_one_line() const { return has_two_sides() && first.access.place == second.access.place; }
};

using calls_by_address = std::map<const void*, std::vector<std::string>>;
using finding_key = std::tuple<sync_problem, wait_kind, const void*, const void*>;

std::mutex mutex;
auto& fresh = *new std::map<finding_key, sync_finding>;

// The name of a problem in JSON, its title in a report, the text for each side of it, and for programs a remedy.
struct problem_words {
  const char *name, *title, *side, *remedy;
};
const problem_words& words_of(sync_problem problem) {
  static constexpr problem_words words[] = {
      {"divergent", "divergent barrier", "wait",
       "one call that all threads of the group reach, outside of the condition"},
      {"returned", "barrier without returned threads", "wait", "a return after the last barrier of the group"},
      {"copy without a wait", "asynchronous copy without a wait", "asynchronous copy",
       "a wait for the copy before the thread returns"},
      {"arrival without a wait", "arrival without a wait", "arrival", "barrier_wait() with the token of the arrival"},
      {"outlived pointer", "pointer out of its scope", "pointer use",
       "global memory, or the value in place of its address"},
      {"write of a constant", "write of a constant", "write", "a write by the host, or a __device__ variable"},
      {"partial copy", "memcpy_async by a part of its group", "call",
       "a call by all threads of the group, with equal arguments"},
      {"product without a fence", "product without wgmma.fence", "product",
       "wgmma.fence.sync.aligned before the product"},
      {"write without a proxy fence", "write without fence.proxy.async", "access",
       "fence.proxy.async after the write and before the barrier"},
      {"early accumulator", "accumulator before its wait", "access", "wgmma.wait_group before the access"},
  };
  return words[static_cast<size_t>(problem)];
}

std::string title_of(const sync_finding& f) {
  const bool is_collective = f.problem == sync_problem::divergent && f.kind == wait_kind::warp;
  return is_collective ? "divergent collective" : words_of(f.problem).title;
}

const char* group_of(wait_kind kind) {
  static constexpr const char* names[] = {"warp", "tile", "block", "cluster", "grid", "multi-grid"};
  return names[static_cast<size_t>(kind)];
}

// The rule that the program breaks.
std::string rule_of(const sync_finding& f) {
  const std::string group = group_of(f.kind);
  switch (f.problem) {
    case sync_problem::divergent:
      if (f.kind == wait_kind::warp) {
        return "one collective served both calls; all lanes of the mask must execute the same call";
      }
      return "one barrier ended both waits" + std::string(f.has_one_line() ? ", reached by two calls" : "") +
             "; a condition around it must be equal for all threads of the " +
             (f.kind > wait_kind::block ? "block" : group);
    case sync_problem::returned:
      return "the other threads of the block have returned; all threads of the " + group +
             " must reach its barrier, or a GPU may wait for ever";
    case sync_problem::unwaited_copy:
      return "the thread returned before it waited for the copy, so the copy may never be visible";
    case sync_problem::unwaited_arrival:
      return "the thread returned before barrier_wait(); each arrival needs a wait with its token";
    case sync_problem::outlived_pointer:
      return f.owner + " made the pointer; it is valid for that " + (f.memory == "local memory" ? "thread" : "block") +
             " alone, and until its end";
    case sync_problem::partial_copy:
      return (f.has_two_sides() ? std::string("the calls have different arguments")
                                : "only " + std::to_string(f.first.threads) + " of the group's " +
                                      std::to_string(f.threads_of_group) + " threads made the call") +
             "; each thread copies a part, so all must call memcpy_async with equal arguments";
    case sync_problem::unfenced_product:
      return "registers of accumulators and of A are ordered before a product by wgmma.fence.sync.aligned; all four "
             "warps of the warpgroup execute it before their first product";
    case sync_problem::unfenced_write:
      return "bulk copies and products of a warpgroup read memory through the asynchronous proxy; after an ordinary "
             "write the writer executes fence.proxy.async, and then the barrier";
    case sync_problem::early_accumulator:
      return "the product may read and write its accumulators until wgmma.wait_group has waited for it";
    case sync_problem::constant_write:
      break;
  }
  return "__constant__ variables are read-only in device code; other threads may read the old value";
}

std::string members_of(const sync_side& side) {
  const std::string others = side.threads == 1 ? "" : std::to_string(side.threads) + " threads, among them ";
  return others + threads_of(side.access);
}

std::string line_of(const sync_finding& f, const sync_side& side) {
  std::string line = std::string("  ") + words_of(f.problem).side;
  if (side.access.bytes)
    line += " of " + std::to_string(side.access.bytes) + (side.access.bytes == 1 ? " byte" : " bytes");
  line += " by " + members_of(side);
  if (!side.access.place.empty()) line += ", at " + side.access.place;
  if (!side.called_at.empty()) line += ", called at " + side.called_at;
  return line + "\n";
}

std::string text_of(const sync_finding& f) {
  std::string text = "cohort: " + title_of(f) + " in " + title_of(f.first.access) + ", found " + times(f.count) + "\n";
  text += line_of(f, f.first);
  if (f.has_two_sides()) text += line_of(f, f.second);
  if (!f.memory.empty()) text += "  in " + f.memory + "\n";
  return text + "  " + rule_of(f) + "\n";
}

std::string json_of(const sync_finding& f, const sync_side& side) {
  std::string text = std::string("{\"kind\": ") + tools::quoted(words_of(f.problem).side);
  if (side.access.bytes) text += ", \"bytes\": " + std::to_string(side.access.bytes);
  return text + ", \"threads\": " + std::to_string(side.threads) + ", \"thread\": " + tools::quoted(members_of(side)) +
         ", \"place\": " + tools::quoted(side.access.place) +
         (side.called_at.empty() ? "" : ", \"called_at\": " + tools::quoted(side.called_at)) + "}";
}

std::string json_of(const sync_finding& f) {
  std::string text =
      "{\"check\": \"sync\"" + tools::json_origin() + ", \"problem\": " + tools::quoted(words_of(f.problem).name) +
      ", \"title\": " + tools::quoted(title_of(f)) + ", \"kernel\": " + tools::quoted(f.first.access.by.kernel) +
      ", \"count\": " + std::to_string(f.count) + ", \"first\": " + json_of(f, f.first);
  if (f.has_two_sides()) text += ", \"second\": " + json_of(f, f.second);
  if (!f.memory.empty()) text += ", \"memory\": " + tools::quoted(f.memory);
  return text + ", \"rule\": " + tools::quoted(rule_of(f)) +
         ", \"remedy\": " + tools::quoted(words_of(f.problem).remedy) + json_shape(f.first.access) + "}\n";
}

// The places of an access and of all calls around it, innermost first.
std::vector<std::string> calls_of(const sync_side& side, const calls_by_address& calls) {
  std::vector<std::string> all;
  const auto append = [&](const void* address) {
    if (const auto at = calls.find(address); at != calls.end())
      all.insert(all.end(), at->second.begin(), at->second.end());
  };
  append(side.access.code);
  for (const void* call : side.calls) append(call);
  return all;
}

// For two sides with one place, in a function that the kernel calls twice: names where the calls around them differ.
void name_calls(sync_finding& f, const calls_by_address& calls) {
  if (!f.has_one_line()) return;
  const std::vector<std::string> first = calls_of(f.first, calls), second = calls_of(f.second, calls);
  const auto [a, b] = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
  if (a != first.end()) f.first.called_at = *a;
  if (b != second.end()) f.second.called_at = *b;
}

// Counts the finding. Returns null unless it is new. pre: the caller holds `mutex`
sync_finding* add(sync_problem problem, wait_kind kind, const sync_side& first, const void* second) {
  const auto codes = std::minmax(first.access.code, second);
  sync_finding& found = fresh[{problem, kind, codes.first, codes.second}];
  if (found.count++ != 0) return nullptr;
  found.problem = problem;
  found.kind = kind;
  found.first = first;
  return &found;
}

}  // namespace

sync_side side_of(const block_clock& b, uint32_t thread, const void* place) {
  sync_side side;
  side.access.code = place;
  side.access.by = facts_of(b.launch->number);
  side.access.block = b.rank;
  side.access.thread = thread;
  return side;
}

void add_sync_problem(sync_problem problem, wait_kind kind, const sync_side& first, const sync_side& second) {
  const std::lock_guard lock(mutex);
  if (sync_finding* const found = add(problem, kind, first, second.access.code)) found->second = second;
}

void add_partial_copy(const sync_side& first, const sync_side& second, uint32_t threads_of_group) {
  const std::lock_guard lock(mutex);
  sync_finding* const found = add(sync_problem::partial_copy, wait_kind::block, first, second.access.code);
  if (!found) return;
  found->second = second;
  found->threads_of_group = threads_of_group;
}

void add_constant_write(const sync_side& writer, const void* address,
                        std::string (*memory)(const void* address, tools::block_view b), tools::block_view b) {
  const std::lock_guard lock(mutex);
  sync_finding* const found = add(sync_problem::constant_write, wait_kind::block, writer, nullptr);
  if (found) found->memory = memory(address, b);
}

void add_outlived_pointer(const sync_side& user, const sync_side& owner, const std::string& memory) {
  const std::lock_guard lock(mutex);
  sync_finding* const found = add(sync_problem::outlived_pointer, wait_kind::block, user, nullptr);
  if (!found) return;
  found->memory = memory;
  found->owner = threads_of(owner.access);
}

std::string take_sync_findings(bool json) {
  std::map<finding_key, sync_finding> found;
  {
    const std::lock_guard lock(mutex);
    found.swap(fresh);
  }
  if (found.empty()) return "";
  std::vector<const void*> addresses;
  for (const auto& [key, f] : found) {
    for (const sync_side* side : {&f.first, &f.second}) {
      if (side->access.code) addresses.push_back(side->access.code);
      addresses.insert(addresses.end(), side->calls.begin(), side->calls.end());
    }
  }
  const auto places = tools::source_places(addresses);
  bool names_calls = false;
  for (auto& [key, f] : found) {
    for (sync_side* side : {&f.first, &f.second}) {
      if (side->access.code) side->access.place = places.at(side->access.code);
    }
    names_calls = names_calls || f.has_one_line();
  }
  // Merges code addresses of one pair of lines, in either order, into one finding.
  std::map<std::tuple<sync_problem, wait_kind, std::string, std::string>, sync_finding> lines;
  const calls_by_address calls = names_calls ? tools::source_calls(addresses) : calls_by_address();
  for (auto& [key, f] : found) {
    name_calls(f, calls);
    const auto names = std::minmax(f.first.access.place, f.second.access.place);
    const auto [at, is_new] = lines.emplace(std::tuple(f.problem, f.kind, names.first, names.second), f);
    if (!is_new) at->second.count += f.count;
  }
  std::string text;
  for (const auto& [names, f] : lines) text += json ? json_of(f) : text_of(f);
  return text;
}

}  // namespace cohort::check
