// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to shared and local memory that kernels keep in other memory. Blocks reuse the memory of earlier blocks, so
// the address of an access does not show that it is too late; the place that keeps the pointer does.
#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "../../engine/state/block.hpp"
#include "../../engine/state/grid.hpp"
#include "../access.hpp"
#include "../report/locations.hpp"
#include "../report/sync_findings.hpp"
#include "compare_waits.hpp"

namespace cohort::check {

namespace {

struct kept_pointer {
  const void* value;
  uint32_t launch;
  uint32_t block;
  uint32_t thread;
  bool is_local;  // to the thread's own memory
  std::string memory;

  bool is_valid_for(const accessor& c) const {
    return launch == c.block->launch->number && block == c.block->rank && (!is_local || thread == c.thread);
  }
};

constexpr size_t most_pointers = 1 << 16;

std::mutex mutex;
auto& kept = *new std::map<uintptr_t, kept_pointer>;
std::atomic<bool> any_kept{false};

bool lies_in_stack(const engine::block& b, uint32_t thread, const void* address) {
  const engine::stack& own = *b.lanes[thread].fiber->stack;
  return address >= own.low && address < own.top;
}

}  // namespace

}  // namespace cohort::check

using namespace cohort::check;

extern "C" {

void cohort_check_keep_pointer(const void* at, const void* value) {
  if (!checks_sync) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  const cohort::engine::block& b = *c.block->block;
  const bool is_local = lies_in_stack(b, c.thread, value);
  if (!is_local && !b.shared.holds(value)) {
    if (!any_kept.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex);
    kept.erase(reinterpret_cast<uintptr_t>(at));
    return;
  }
  // Pointers in the block's own memory end with it, and those in the thread's stack with the thread.
  if (b.shared.holds(at) && !is_local) return;
  const std::lock_guard lock(mutex);
  if (kept.size() == most_pointers) return;
  std::string memory = is_local ? "local memory" : describe_location(value, &b);
  kept[reinterpret_cast<uintptr_t>(at)] = {value,    c.block->launch->number, c.block->rank, c.thread,
                                           is_local, std::move(memory)};
  any_kept.store(true, std::memory_order_relaxed);
}

void cohort_check_take_pointer(const void* at, const void* value) {
  if (!any_kept.load(std::memory_order_relaxed)) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  const std::lock_guard lock(mutex);
  const auto found = kept.find(reinterpret_cast<uintptr_t>(at));
  if (found == kept.end() || found->second.value != value || found->second.is_valid_for(c)) return;
  const kept_pointer& pointer = found->second;
  sync_side user = side_of(*c.block, c.thread, __builtin_return_address(0));
  sync_side owner = side_of(*c.block, pointer.thread, nullptr);
  owner.access.by = facts_of(pointer.launch);
  owner.access.block = pointer.block;
  add_outlived_pointer(user, owner, pointer.memory);
}

// A copy or fill of a range replaces the pointers in it.
void cohort_check_drop_pointers(const void* first, uint64_t bytes) {
  if (!any_kept.load(std::memory_order_relaxed)) return;
  const auto begin = reinterpret_cast<uintptr_t>(first);
  const std::lock_guard lock(mutex);
  kept.erase(kept.lower_bound(begin), kept.lower_bound(begin + bytes));
}

}  // extern "C"
