// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_guard.hpp"

#include <unistd.h>

#include <algorithm>
#include <cohort/machine/cpu/port.hpp>
#include <cstdint>
#include <cstdio>

#include "../device/device_state.hpp"
#include "../error/error.hpp"
#include "../memory/allocation_table.hpp"

namespace cohort::runtime {

namespace {

const char* name_of(memory_kind kind) {
  switch (kind) {
    case memory_kind::managed:
      return "managed memory";
    case memory_kind::host:
      return "pinned host memory";
    case memory_kind::registered:
      return "registered host memory";
    case memory_kind::device:
      break;
  }
  return "device memory";
}

// An address farther away than this has nothing to do with the nearest allocation.
constexpr size_t farthest = size_t{64} << 20;

// Half a sentence about an address that a kernel must not access, for the engine's report.
void describe_address(const void* address, char* text, size_t size) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  allocation nearest;
  const bool has_nearest = allocation_table::instance().find_nearest(address, &nearest);
  if (has_nearest && nearest.contains(address, 1)) return;  // live memory: the address is not the fault
  memory_range freed;
  if (process_heap().find_freed(address, &freed)) {
    std::snprintf(text, size, "byte %zu of %zu bytes at %p, which were freed",
                  static_cast<size_t>(wanted - reinterpret_cast<uintptr_t>(freed.base)), freed.bytes,
                  static_cast<void*>(freed.base));
    return;
  }
  if (!has_nearest) return;
  const auto base = reinterpret_cast<uintptr_t>(nearest.base);
  const auto end = base + nearest.bytes;
  const bool behind = wanted >= end;
  const size_t distance = behind ? wanted - end : base - wanted;
  if (distance > farthest) return;
  std::snprintf(text, size, "%zu bytes %s of %zu bytes of %s at %p", distance,
                behind ? "behind the end" : "before the start", nearest.bytes, name_of(nearest.kind),
                static_cast<void*>(nearest.base));
}

// An eighth of the mappings that the system allows: an allocation and the gap behind it are one each, and the stacks of
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

guard_mode chosen_guard() {
  const cohort_device* device = cohort_device_get(0);
  return device ? static_cast<guard_mode>(device->memory_guard) : guard_mode::page;
}

device_heap& make_process_heap() {
  cohort_describe_addresses_by(describe_address);
  return *new device_heap(chosen_guard(), reserved_bytes(), most_spans());
}

}  // namespace

device_heap& process_heap() {
  static device_heap& made = make_process_heap();
  return made;
}

void check_damage(const memory_range& allocation, device_state& device) {
  const char* const at = process_heap().find_damage(allocation);
  if (!at) return;
  const bool behind = at >= allocation.base + allocation.bytes;
  const size_t distance =
      static_cast<size_t>(behind ? at - (allocation.base + allocation.bytes) : allocation.base - at);
  std::fprintf(stderr,
               "cohort: memory was overwritten %zu bytes %s of %zu bytes at %p of device %d\n"
               "  by a kernel or a host access since the last synchronisation; COHORT_GUARD=strict found it\n",
               distance, behind ? "behind the end" : "before the start", allocation.bytes,
               static_cast<void*>(allocation.base), device.index);
  record_failure(device, cudaErrorIllegalAddress);
}

void check_all_damage(device_state& device) {
  if (process_heap().mode() != guard_mode::strict) return;
  if (device.fatal_error.load(std::memory_order_acquire) != cudaSuccess) return;  // reported already
  for (const memory_range& allocation : allocation_table::instance().own_memory(device.index)) {
    check_damage(allocation, device);
  }
}

}  // namespace cohort::runtime
