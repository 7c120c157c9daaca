// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/state/device_state.hpp"

#include <algorithm>

namespace cohort::runtime {

namespace {

thread_local int current_index = 0;
thread_local device_choice chosen = device_choice::none;
std::atomic<bool> any_chosen{false};  // some thread has chosen a device
thread_local green_context* current_green = nullptr;

using device_table = std::vector<std::unique_ptr<device_state>>;
std::atomic<const device_table*> made_devices{nullptr};

// The table of all devices, made at the first use and never destroyed. Not a local static: the engine may end the
// process while the table is made, for an invalid COHORT_* variable, and functions that run at exit must then find no
// table.
const device_table& devices() {
  if (const device_table* made = made_devices.load(std::memory_order_acquire)) return *made;
  auto fresh = std::make_unique<device_table>();
  for (int i = 0; i < std::max(1, cohort_device_count()); ++i) fresh->push_back(std::make_unique<device_state>(i));
  const device_table* none = nullptr;
  if (made_devices.compare_exchange_strong(none, fresh.get())) return *fresh.release();
  return *none;
}

}  // namespace

constexpr size_t default_printf_bytes = size_t{1} << 20;
constexpr size_t default_heap_bytes = size_t{8} << 20;
constexpr size_t default_pending_launches = 2048;

device_state::device_state(int number) : index(number) {
  legacy.device = this;
  legacy.is_legacy = true;
  legacy.id = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(cudaStreamLegacy));
  reset_limits();
}

void device_state::reset_limits() {
  const cohort_device* described = cohort_device_get(index);
  stack_limit = described ? described->stack_bytes : 0;
  printf_limit = default_printf_bytes;
  heap_limit = default_heap_bytes;
  pending_launch_limit = default_pending_launches;
  flags = cudaDeviceMapHost;
}

bool devices_exist() { return made_devices.load(std::memory_order_acquire) != nullptr; }
int device_count() { return static_cast<int>(devices().size()); }
device_state& device_at(int index) { return *devices()[static_cast<size_t>(index)]; }
device_state& current_device() { return device_at(current_index); }
device_choice chosen_by() { return chosen; }

green_context* current_green_context() { return current_green; }

bool was_device_chosen() { return any_chosen.load(std::memory_order_relaxed); }

void choose_device(int index, device_choice by, green_context* green) {
  current_index = index;
  chosen = by;
  if (by != device_choice::none) any_chosen.store(true, std::memory_order_relaxed);
  current_green = green;
}

void touch_device() {
  if (chosen == device_choice::driver) return;
  if (chosen == device_choice::none) any_chosen.store(true, std::memory_order_relaxed);
  chosen = device_choice::runtime;
  auto& used = current_device().used_by_runtime;
  if (!used.load(std::memory_order_relaxed)) used = true;
}

}  // namespace cohort::runtime
