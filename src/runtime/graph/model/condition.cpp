// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/model/condition.hpp"

#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <cohort/base/cuda_error.hpp>
#include <cohort/machine/cpu/port.hpp>

namespace cohort::runtime {

namespace {

constexpr uint32_t slots_of_chunk = 1024;
constexpr uint32_t most_chunks = 1024;

// A handle has the condition's number in the high bits, and the index of its slot plus one in the low bits.
constexpr int index_bits = 32;

std::atomic<condition_slot*> chunks[most_chunks];
std::mutex mutex;
uint32_t slot_count = 0;
std::vector<uint32_t>& free_slots() {
  static auto* const all = new std::vector<uint32_t>;
  return *all;
}

condition_slot* find_slot(uint64_t handle) {
  const auto index = static_cast<uint32_t>(handle) - 1;
  if (index >= slots_of_chunk * most_chunks) return nullptr;
  condition_slot* const chunk = chunks[index / slots_of_chunk].load(std::memory_order_acquire);
  if (!chunk) return nullptr;
  condition_slot* const slot = &chunk[index % slots_of_chunk];
  const auto number = static_cast<uint32_t>(handle >> index_bits);
  return number % 2 == 1 && slot->number.load(std::memory_order_acquire) == number ? slot : nullptr;
}

uint64_t make_slot() {
  const std::lock_guard lock(mutex);
  if (free_slots().empty()) {
    if (slot_count == slots_of_chunk * most_chunks) throw std::bad_alloc();
    free_slots().reserve(slot_count + slots_of_chunk);
    chunks[slot_count / slots_of_chunk].store(new condition_slot[slots_of_chunk], std::memory_order_release);
    for (uint32_t i = slots_of_chunk; i-- > 0;) free_slots().push_back(slot_count + i);
    slot_count += slots_of_chunk;
  }
  const uint32_t index = free_slots().back();
  free_slots().pop_back();
  condition_slot& slot = chunks[index / slots_of_chunk].load()[index % slots_of_chunk];
  slot.value.store(0, std::memory_order_relaxed);
  return uint64_t{slot.number.fetch_add(1) + 1} << index_bits | (index + 1);
}

}  // namespace

condition::condition(uint32_t default_value, bool assigns_default)
    : condition(make_slot(), default_value, assigns_default) {}

condition::condition(uint64_t handle, uint32_t default_value, bool assigns_default)
    : slot_(*find_slot(handle)), handle_(handle), default_value_(default_value), assigns_default_(assigns_default) {}

condition::~condition() {
  const std::lock_guard lock(mutex);
  slot_.number.fetch_add(1, std::memory_order_release);
  free_slots().push_back(static_cast<uint32_t>(handle_) - 1);
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

// The body of cudaGraphSetConditional() in kernels.
extern "C" void cohort_set_graph_condition(unsigned long long handle, unsigned int value) {
  if (condition_slot* const slot = find_slot(handle)) return slot->value.store(value, std::memory_order_release);
  cohort_fail_at(__builtin_return_address(0), cohort::error_launch_failure,
                 "cudaGraphSetConditional(%#llx, %u): no graph has a condition with this handle", handle, value);
}
