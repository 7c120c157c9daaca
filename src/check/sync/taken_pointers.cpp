// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/taken_pointers.hpp"

#include <algorithm>
#include <atomic>
#include <cohort/machine/cpu/port/check/checker.hpp>
#include <map>
#include <mutex>
#include <vector>

#include "check/order/accessor.hpp"
#include "check/report/sync_findings.hpp"

namespace cohort::check {

namespace {

struct taken_pointer {
  kept_pointer pointer;
  bool is_reported = false;

  bool leads_to(uintptr_t at) const { return at >= pointer.first && at < pointer.end; }
};

constexpr size_t most_of_thread = 8;

std::mutex mutex;
auto& taken = *new std::map<thread_name, std::vector<taken_pointer>>;
std::atomic<bool> any_taken{false};

}  // namespace

void add_taken(const thread_name& by, const kept_pointer& pointer) {
  const std::lock_guard lock(mutex);
  auto& list = taken[by];
  for (const taken_pointer& known : list) {
    if (known.pointer.value == pointer.value && known.pointer.owner == pointer.owner) return;
  }
  if (list.size() == most_of_thread) list.erase(list.begin());
  list.push_back({pointer});
  any_taken.store(true, std::memory_order_relaxed);
}

void drop_taken(const thread_name& by, const void* value) {
  if (!any_taken.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex);
  const auto at = taken.find(by);
  if (at == taken.end()) return;
  std::erase_if(at->second,
                [=](const taken_pointer& known) { return known.leads_to(reinterpret_cast<uintptr_t>(value)); });
}

bool find_taken(const thread_name& by, const void* value, kept_pointer* found) {
  if (!any_taken.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(mutex);
  const auto at = taken.find(by);
  if (at == taken.end()) return false;
  const auto known = std::find_if(at->second.rbegin(), at->second.rend(),
                                  [=](const taken_pointer& one) { return one.pointer.value == value; });
  if (known == at->second.rend()) return false;
  *found = known->pointer;
  return true;
}

void drop_taken_of(uint32_t launch, uint32_t block) {
  if (!any_taken.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex);
  taken.erase(taken.lower_bound({launch, block, 0}), taken.lower_bound({launch, block + 1, 0}));
}

}  // namespace cohort::check

using namespace cohort::check;

extern "C" void cohort_check_use_pointer(const void* pointer) {
  if (!any_taken.load(std::memory_order_relaxed)) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  const std::lock_guard lock(mutex);
  const auto list = taken.find({c.block->launch->number, c.block->rank, c.thread});
  if (list == taken.end()) return;
  for (taken_pointer& one : list->second) {
    if (one.is_reported || !one.leads_to(reinterpret_cast<uintptr_t>(pointer))) continue;
    one.is_reported = true;
    sync_side owner = side_of(*c.block, one.pointer.owner.thread, nullptr);
    owner.access.by = facts_of(one.pointer.owner.launch);
    owner.access.block = one.pointer.owner.block;
    add_outlived_pointer(side_of(*c.block, c.thread, __builtin_return_address(0)), owner, one.pointer.memory);
  }
}
