// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/guard/memory_guard.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include <cohort/machine/cpu/port.hpp>

#include "runtime/error/error.hpp"
#include "runtime/error/log.hpp"
#include "runtime/guard/distance.hpp"
#include "runtime/guard/kernel_heap.hpp"
#include "runtime/guard/memory_owner.hpp"
#include "runtime/state/device_state.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

address_description describe_freed(const void* address) {
  memory_range freed;
  if (!process_heap().find_freed(address, &freed)) return {};
  return {nearness::inside, byte_of(address, freed.base, freed.bytes) + at_address(freed.base) + ", which were freed",
          freed.base};
}

address_description describe_kernel_heap(const void* address) {
  memory_range near;
  bool live = false;
  if (!process_kernel_heap().find_near(address, &near, &live)) return {};
  if (near.contains(address)) return {nearness::inside};
  return {nearness::beside, distance_from(reinterpret_cast<uintptr_t>(address), near.base, near.bytes) +
                                " of malloc or new in a kernel" + at_address(near.base)};
}

void check_kernel_heap(device_state& device) {
  const heap_finding found = process_kernel_heap().find_damage(device.index);
  if (found.what == heap_misuse::none) return;
  const std::string of_memory =
      std::to_string(found.memory.bytes) + " bytes of malloc or new in a kernel" + at_address(found.memory.base);
  const std::string distance = std::to_string(found.distance);
  switch (found.what) {
    case heap_misuse::overrun:
      return report_damage(distance + " bytes behind the end of " + of_memory, device);
    case heap_misuse::underrun:
      return report_damage(distance + " bytes before the start of " + of_memory, device);
    default:
      return report_damage("in byte " + distance + " of " + of_memory + ", which were freed,", device);
  }
}

constexpr memory_owner freed_owner{describe_freed};
constexpr memory_owner kernel_heap_owner{describe_kernel_heap, check_kernel_heap};

constexpr auto owner_count = static_cast<size_t>(owner_kind::count);

// Constant from the start: constructors of the program add owners, and a fault handler reads them.
constinit std::array<std::atomic<const memory_owner*>, owner_count> owners{};

// Writes the description for the engine's reports. The text stays empty if no owner describes the address.
void write_description(const void* address, char* text, size_t size) {
  const std::string description = describe_illegal(address);
  if (!description.empty()) std::snprintf(text, size, "%s", description.c_str());
}

// An eighth of the mappings that the system allows: an allocation and the gap after it are one each, and the stacks of
// threads need some.
size_t most_spans() {
  size_t mappings = 65530;
  if (std::FILE* file = std::fopen("/proc/sys/vm/max_map_count", "r")) {
    if (std::fscanf(file, "%zu", &mappings) != 1) mappings = 65530;
    std::fclose(file);
  }
  return mappings / 8;
}

// Address space for several times the machine's memory, so that gaps and alignment do not exhaust it.
size_t reserved_bytes() {
  const size_t memory = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::max(memory * 4, size_t{1} << (sizeof(void*) == 8 ? 38 : 30));
}

device_heap& make_process_heap() {
  add_memory_owner(owner_kind::freed_allocations, freed_owner);
  add_memory_owner(owner_kind::kernel_heap, kernel_heap_owner);
  cohort_describe_addresses_by(write_description);
  auto& made = *new device_heap(chosen_guard(), reserved_bytes(), most_spans());
  pthread_atfork(nullptr, nullptr, [] { process_heap().begin_child(); });
  return made;
}

}  // namespace

std::string describe_illegal(const void* address) {
  address_description nearest;
  for (const auto& each : owners) {
    const memory_owner* const owner = each.load(std::memory_order_acquire);
    if (!owner) continue;
    address_description found = owner->describe(address);
    if (found.where > nearest.where) nearest = std::move(found);
    if (nearest.where == nearness::inside) break;
  }
  if (nearest.text.empty() || !nearest.allocation || !installed_operation_listener) return nearest.text;
  return nearest.text + installed_operation_listener->history_of(nearest.allocation);
}

guard_mode chosen_guard() {
  const cohort_device* device = cohort_device_get(0);
  return device ? static_cast<guard_mode>(device->memory_guard) : guard_mode::page;
}

device_heap& process_heap() {
  static device_heap& made = make_process_heap();
  return made;
}

void add_memory_owner(owner_kind kind, const memory_owner& owner) {
  owners[static_cast<size_t>(kind)].store(&owner, std::memory_order_release);
}

void report_damage(const std::string& place, device_state& device) {
  say(cudaLogLevelError,
      "memory was overwritten %s of device %d\n"
      "  by a kernel or a host access since the last synchronisation; COHORT_GUARD=strict found it",
      place.c_str(), device.index);
  record_failure(device, cudaErrorIllegalAddress);
}

void check_damage(const memory_range& allocation, device_state& device) {
  const char* const at = process_heap().find_damage(allocation);
  if (!at) return;
  report_damage(
      distance_from(reinterpret_cast<uintptr_t>(at), allocation.base, allocation.bytes) + at_address(allocation.base),
      device);
}

void check_all_damage(device_state& device) {
  if (process_heap().mode() != guard_mode::strict) return;
  for (const auto& each : owners) {
    // A fatal error has been reported, for example damage to an earlier owner's memory.
    if (device.fatal_error.load(std::memory_order_acquire) != cudaSuccess) return;
    const memory_owner* const owner = each.load(std::memory_order_acquire);
    if (owner && owner->check_damage) owner->check_damage(device);
  }
}

}  // namespace cohort::runtime
