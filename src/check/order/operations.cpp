// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/order/operations.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "check/memory/record.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/order/flags.hpp"

namespace cohort::check {

namespace {

constexpr uint32_t host_chain = 0;
// Accesses of older operations count as ordered.
constexpr size_t most_entries = size_t{1} << 18;

struct entry {
  uint32_t chain, position;
  std::shared_ptr<const operation_facts> facts;
  bool is_running;
};

std::mutex mutex;
auto& heads = *new operation_clock{1};  // position of each chain's last operation
auto& host_clock = *new operation_clock{1};
std::atomic<uint32_t> host_number{0};  // 0: no access of the host since it last submitted an operation
auto& entries = *new std::deque<entry>;
uint32_t first_number = 1;

uint32_t position_in(const operation_clock& clock, uint32_t chain) { return chain < clock.size() ? clock[chain] : 0; }

void raise(operation_clock& clock, uint32_t chain, uint32_t position) {
  if (clock.size() <= chain) clock.resize(chain + 1, 0);
  clock[chain] = std::max(clock[chain], position);
}

void join(operation_clock& clock, const operation_clock& other) {
  for (uint32_t chain = 0; chain < other.size(); ++chain) raise(clock, chain, other[chain]);
}

entry* find_entry(uint32_t number) {
  return number - first_number < entries.size() ? &entries[number - first_number] : nullptr;
}

uint32_t add_entry(uint32_t chain, uint32_t position, operation_facts facts) {
  if (entries.size() == most_entries) {
    entries.pop_front();
    ++first_number;
  }
  const bool is_running = chain != host_chain;
  entries.push_back({chain, position, std::make_shared<const operation_facts>(std::move(facts)), is_running});
  return first_number + static_cast<uint32_t>(entries.size()) - 1;
}

// Returns a chain whose last operation happens before an operation with this clock, which then continues it.
uint32_t chain_for(const operation_clock& before) {
  for (uint32_t chain = host_chain + 1; chain < heads.size(); ++chain) {
    if (position_in(before, chain) == heads[chain]) return chain;
  }
  heads.push_back(0);
  return static_cast<uint32_t>(heads.size()) - 1;
}

// The kernel's name for reports. Cached: each report needs names, and a lookup in debug information starts a process.
std::string title_of(const void* plain_kernel) {
  static std::mutex of_titles;
  static auto& titles = *new std::map<const void*, std::string>;
  const std::lock_guard lock(of_titles);
  std::string& title = titles[plain_kernel];
  if (title.empty()) title = tools::plain_kernel_title(plain_kernel);
  return title;
}

void append_to_chain(followed_operation& op, const call_site* site) {
  op.site = site;
  op.chain = chain_for(op.before);
  op.position = ++heads[op.chain];
}

}  // namespace

void follow(followed_operation& op, const followed_operation& earlier) {
  const std::lock_guard lock(mutex);
  join(op.before, earlier.before);
  if (earlier.position) raise(op.before, earlier.chain, earlier.position);
  if (op.position || earlier.launched_after.empty()) return;
  // The first entry has the accesses of the launching thread. A later launch by the same thread follows them anyway.
  const bool is_same = op.launcher == earlier.launcher;
  add_acquired(op.launched_after, {earlier.launched_after.begin() + (is_same ? 1 : 0), earlier.launched_after.end()});
}

void submit(followed_operation& op, bool is_work) {
  const std::lock_guard lock(mutex);
  host_clock[host_chain] = heads[host_chain];
  join(op.before, host_clock);
  ++heads[host_chain];
  host_number.store(0, std::memory_order_release);
  if (!is_work) return;
  // If all submitted operations happen before this one, so do all records made until now.
  bool follows_all = true;
  for (uint32_t chain = host_chain + 1; chain < heads.size(); ++chain) {
    follows_all = follows_all && position_in(op.before, chain) == heads[chain];
  }
  if (follows_all) op.records_ordered_below = record_ring::instance().next_number();
  append_to_chain(op, current_call_site());
}

void inherit_order(followed_operation& op, const followed_operation& running) {
  const std::lock_guard lock(mutex);
  join(op.before, running.before);
}

void submit_part(followed_operation& op, const followed_operation& running, bool is_work) {
  const std::lock_guard lock(mutex);
  if (is_work) append_to_chain(op, running.site);
}

void wait_on_host(const followed_operation& op) {
  const std::lock_guard lock(mutex);
  join(host_clock, op.before);
  if (op.position) raise(host_clock, op.chain, op.position);
}

uint32_t add_number(const followed_operation& op, operation_facts facts) {
  facts.site = op.site;
  const std::lock_guard lock(mutex);
  return add_entry(op.chain, op.position, std::move(facts));
}

void end_number(uint32_t number) {
  const std::lock_guard lock(mutex);
  if (entry* const e = find_entry(number)) e->is_running = false;
}

bool is_running(uint32_t number) {
  const std::lock_guard lock(mutex);
  const entry* const e = find_entry(number);
  return e && e->is_running;
}

uint32_t host_epoch() {
  if (const uint32_t known = host_number.load(std::memory_order_acquire)) return known;
  const std::lock_guard lock(mutex);
  if (host_number.load() == 0) {
    operation_facts facts;
    facts.sort = operation_sort::host;
    host_number.store(add_entry(host_chain, heads[host_chain], std::move(facts)), std::memory_order_release);
  }
  return host_number.load();
}

bool in_one_launch(uint32_t a, uint32_t b) {
  if (a == b) return true;
  const std::lock_guard lock(mutex);
  const entry *first = find_entry(a), *second = find_entry(b);
  return first && second && first->chain == second->chain && first->position == second->position;
}

operation_facts facts_of(uint32_t number) {
  operation_facts facts;
  {
    const std::lock_guard lock(mutex);
    if (const entry* const found = find_entry(number)) facts = *found->facts;
  }
  if (facts.plain_kernel) facts.kernel = title_of(facts.plain_kernel);
  return facts;
}

bool comes_before(uint32_t earlier, const followed_operation* later) {
  const std::lock_guard lock(mutex);
  const entry* const e = find_entry(earlier);
  if (!e) return true;
  if (e->chain == host_chain) {
    return !later || e->position <= std::max(position_in(later->before, host_chain), later->host_known.load());
  }
  return e->position <= position_in(later ? later->before : host_clock, e->chain);
}

bool is_past(uint32_t earlier, const followed_operation* later) {
  const std::lock_guard lock(mutex);
  if (!find_entry(earlier)) return true;
  for (uint32_t chain = host_chain + 1; chain < heads.size(); ++chain) {
    const bool is_behind = position_in(host_clock, chain) >= heads[chain];
    const bool is_before = later && (chain == later->chain || position_in(later->before, chain) >= heads[chain]);
    if (!is_behind && !is_before) return false;
  }
  return true;
}

void acquire_host(followed_operation& op, uint32_t number) {
  const std::lock_guard lock(mutex);
  const entry* const e = find_entry(number);
  if (e && e->chain == host_chain) op.host_known = std::max(op.host_known.load(), e->position);
}

void host_acquires(uint32_t number) {
  const std::lock_guard lock(mutex);
  if (const entry* const e = find_entry(number)) raise(host_clock, e->chain, e->position);
}

}  // namespace cohort::check
