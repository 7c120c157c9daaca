// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/sync/kept_pointers.hpp"

#include <atomic>
#include <cohort/machine/cpu/port/check/checker.hpp>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "check/memory/tool_ports.hpp"
#include "check/order/accessor.hpp"
#include "check/report/locations.hpp"
#include "check/report/variables.hpp"
#include "check/sync/taken_pointers.hpp"

namespace cohort::check {

namespace {

// A word that holds a pointer. `reader`: the thread in whose stack the word lies, the only one that may read it.
struct kept_word {
  kept_pointer pointer;
  bool is_in_stack = false;
  thread_name reader = {};
};

constexpr size_t most_words = 1 << 16;

std::mutex mutex;
auto& kept = *new std::map<uintptr_t, kept_word>;
std::atomic<bool> any_kept{false};

thread_name name_of(const accessor& c) { return {c.block->launch->number, c.block->rank, c.thread}; }

bool is_valid_for(const kept_pointer& p, const thread_name& thread) {
  if (p.is_local) return p.owner == thread;
  return p.owner.launch == thread.launch && p.owner.block == thread.block;
}

bool lies_in_stack(const accessor& c, const void* address) {
  return tools::contains(c.block->block.stack_of(c.thread), address);
}

// Writes the pointer and its range if `value` is an address in the thread's stack or its block's shared memory; else
// false.
bool make_pointer(const accessor& c, const void* value, kept_pointer* made) {
  const tools::block_view b = c.block->block;
  const tools::memory_span stack = b.stack_of(c.thread);
  const bool is_local = tools::contains(stack, value);
  if (!is_local && !b.holds_shared(value)) return false;
  address_range around = {reinterpret_cast<uintptr_t>(value), reinterpret_cast<uintptr_t>(value) + 1};
  if (is_local) {
    around.end = reinterpret_cast<uintptr_t>(stack.data() + stack.size());
  } else {
    find_shared_range(b, value, &around);
  }
  *made = {value, name_of(c), is_local, around.first, around.end, ""};
  return true;
}

// Stores that the word at `at` holds the pointer. pre: the caller holds `mutex`
void keep(const accessor& c, uintptr_t at, kept_pointer pointer) {
  const void* const word = reinterpret_cast<const void*>(at);
  const bool is_in_stack = lies_in_stack(c, word);
  const bool is_valid_here = is_valid_for(pointer, name_of(c));
  // A pointer in the block's own memory ends with the block, and a pointer in the thread's stack with the thread.
  const bool ends_with_word =
      is_valid_here && (is_in_stack || (c.block->block.holds_shared(word) && !pointer.is_local));
  if (ends_with_word || (kept.size() >= most_words && !kept.contains(at))) {
    kept.erase(at);
    return;
  }
  if (pointer.memory.empty()) {
    pointer.memory = pointer.is_local ? "local memory" : describe_location(pointer.value, c.block->block);
  }
  kept[at] = {std::move(pointer), is_in_stack, is_in_stack ? name_of(c) : thread_name()};
  any_kept.store(true, std::memory_order_relaxed);
}

void erase_range(uintptr_t begin, size_t bytes) {
  kept.erase(kept.lower_bound(begin), kept.lower_bound(begin + bytes));
}

// The words of a range that hold pointers, with their distances from its begin. pre: the caller holds `mutex`
std::vector<std::pair<uintptr_t, kept_word>> words_in(uintptr_t begin, size_t bytes) {
  std::vector<std::pair<uintptr_t, kept_word>> found;
  for (auto at = kept.lower_bound(begin); at != kept.end() && at->first < begin + bytes; ++at) {
    found.emplace_back(at->first - begin, at->second);
  }
  return found;
}

}  // namespace

void move_kept_pointers(const void* to, const void* from, size_t bytes) {
  if (!any_kept.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex);
  const auto moved = words_in(reinterpret_cast<uintptr_t>(from), bytes);
  erase_range(reinterpret_cast<uintptr_t>(to), bytes);
  for (const auto& [distance, word] : moved) {
    if (!word.is_in_stack) kept[reinterpret_cast<uintptr_t>(to) + distance] = word;
  }
}

void drop_kept_pointers(const void* first, size_t bytes) {
  if (!any_kept.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex);
  erase_range(reinterpret_cast<uintptr_t>(first), bytes);
}

void drop_pointers_to(const block_clock& b) {
  drop_taken_of(b.launch->number, b.rank);
  for (const tools::memory_span shared : {b.block.static_shared(), b.block.dynamic_shared()}) {
    drop_kept_pointers(shared.data(), shared.size());
  }
}

}  // namespace cohort::check

using namespace cohort::check;

extern "C" {

void cohort_check_keep_pointer(const void* at, const void* value) {
  if (!checks_sync || !at) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  kept_pointer pointer;
  if (make_pointer(c, value, &pointer) || find_taken(name_of(c), value, &pointer)) {
    const std::lock_guard lock(mutex);
    return keep(c, reinterpret_cast<uintptr_t>(at), pointer);
  }
  drop_kept_pointers(at, sizeof(void*));
}

void cohort_check_take_pointer(const void* at, const void* value) {
  if (!any_kept.load(std::memory_order_relaxed)) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  const thread_name thread = name_of(c);
  const std::lock_guard lock(mutex);
  const auto found = kept.find(reinterpret_cast<uintptr_t>(at));
  const bool is_known = found != kept.end() && found->second.pointer.value == value &&
                        (!found->second.is_in_stack || found->second.reader == thread);
  if (is_known && !is_valid_for(found->second.pointer, thread)) {
    add_taken(thread, found->second.pointer);
  } else {
    drop_taken(thread, value);
  }
}

// Kept pointers of the source take precedence over words that look like a pointer of the thread.
void cohort_check_copy_pointers(void* to, const void* from, uint64_t bytes) {
  if (!checks_sync) return;
  const accessor c = current_accessor(nullptr);
  if (!c.block) return;
  const auto target = reinterpret_cast<uintptr_t>(to);
  const thread_name thread = name_of(c);
  std::map<uintptr_t, kept_pointer> pointers;
  for (uintptr_t at = target + (0 - target) % sizeof(void*); at + sizeof(void*) <= target + bytes;
       at += sizeof(void*)) {
    kept_pointer made;
    if (make_pointer(c, *reinterpret_cast<void* const*>(at), &made)) pointers[at] = std::move(made);
  }
  if (pointers.empty() && !any_kept.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex);
  for (const auto& [distance, word] : words_in(reinterpret_cast<uintptr_t>(from), bytes)) {
    const uintptr_t at = target + distance;
    const bool is_readable = !word.is_in_stack || word.reader == thread;
    if (!is_readable || at % sizeof(void*) != 0 || distance + sizeof(void*) > bytes) continue;
    if (*reinterpret_cast<void* const*>(at) == word.pointer.value) pointers[at] = word.pointer;
  }
  erase_range(target, bytes);
  for (const auto& [at, pointer] : pointers) keep(c, at, pointer);
}

void cohort_check_drop_pointers(const void* first, uint64_t bytes) { drop_kept_pointers(first, bytes); }

}  // extern "C"
