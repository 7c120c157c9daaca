// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_guard.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cohort/machine/cpu/port.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../error/error.hpp"
#include "../memory/allocation_table.hpp"
#include "../memory/graph/graph_memory.hpp"
#include "../memory/virtual/address_space.hpp"
#include "../module/symbol_table.hpp"
#include "../state/device_state.hpp"
#include "../state/operation_listener.hpp"
#include "distance.hpp"
#include "kernel_heap.hpp"

namespace cohort::runtime {

namespace {

// An address farther away than this has nothing to do with the nearest allocation.
constexpr size_t farthest = size_t{64} << 20;

// "device variable 'table'".
std::string title_of(const named_variable& variable) {
  if (variable.name.empty()) return "a device variable";
  int status = 0;
  // A variable named `c` has the mangled name of the type `char`.
  const bool is_mangled = variable.name.compare(0, 2, "_Z") == 0;
  char* const spelled = is_mangled ? abi::__cxa_demangle(variable.name.c_str(), nullptr, nullptr, &status) : nullptr;
  const std::string name = spelled ? spelled : variable.name;
  std::free(spelled);
  return "device variable '" + name + "'";
}

void describe_beside(uintptr_t address, const named_variable& variable, char* text, size_t size) {
  const auto first = reinterpret_cast<uintptr_t>(variable.address);
  if (address >= first && address < first + variable.bytes) return;
  std::snprintf(text, size, "%s of %s", distance_from(address, variable.address, variable.bytes).c_str(),
                title_of(variable).c_str());
}

// Half a sentence about an address that the program has reserved. Returns the mapping there, or null.
const void* describe_reserved(const char* address, const reserved_place& place, char* text, size_t size) {
  if (!place.memory) {
    std::snprintf(text, size, "byte %zu of %zu bytes reserved by cuMemAddressReserve at %p, where no memory is mapped",
                  static_cast<size_t>(address - place.base), place.bytes, static_cast<void*>(place.base));
    return nullptr;
  }
  if (place.rights.writers != 0) return nullptr;  // accessible now: the address is not the fault
  std::snprintf(text, size, "byte %zu of %zu bytes of mapped memory at %p, %s",
                static_cast<size_t>(address - place.mapping), place.mapped_bytes, static_cast<void*>(place.mapping),
                place.rights.readers != 0 ? "which cuMemSetAccess made read-only"
                                          : "which no call of cuMemSetAccess has made accessible");
  return place.mapping;
}

// An address in memory of a graph, which exists between the allocation and the free only.
void describe_graph_memory(const void* address, const graph_memory& memory, char* text, size_t size) {
  const auto offset = static_cast<size_t>(static_cast<const char*>(address) - memory.range.base);
  std::snprintf(text, size, "byte %zu of %zu bytes at %p, which %s", offset, memory.range.bytes,
                static_cast<void*>(memory.range.base),
                memory.was_allocated ? "were freed" : "no launch of their graph has allocated yet");
}

// Half a sentence about an address that a kernel must not access. Returns the base of the allocation that it names, or
// null.
const void* describe(const void* address, char* text, size_t size) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  reserved_place reserved;
  if (address_space::instance().find(address, &reserved)) {
    return describe_reserved(static_cast<const char*>(address), reserved, text, size);
  }
  allocation nearest;
  const bool has_nearest = allocation_table::instance().find_nearest(address, &nearest);
  if (has_nearest && nearest.contains(address, 1)) {
    const graph_memory_ref of_graph = nearest.graph.lock();
    if (!of_graph || of_graph->is_accessible) return nullptr;  // live memory: the address is not the fault
    describe_graph_memory(address, *of_graph, text, size);
    return of_graph->was_allocated ? nearest.base : nullptr;
  }
  memory_range freed;
  if (process_heap().find_freed(address, &freed)) {
    std::snprintf(text, size, "byte %zu of %zu bytes at %p, which were freed",
                  static_cast<size_t>(wanted - reinterpret_cast<uintptr_t>(freed.base)), freed.bytes,
                  static_cast<void*>(freed.base));
    return freed.base;
  }
  memory_range near;
  bool live = false;
  if (process_kernel_heap().find_near(address, &near, &live)) {
    if (near.contains(address)) return nullptr;
    std::snprintf(text, size, "%s of malloc or new in a kernel at %p",
                  distance_from(wanted, near.base, near.bytes).c_str(), static_cast<void*>(near.base));
    return nullptr;
  }
  named_variable variable;
  if (symbol_table::instance().find_nearest(address, &variable)) {
    describe_beside(wanted, variable, text, size);
    return nullptr;
  }
  if (!has_nearest) return nullptr;
  const auto base = reinterpret_cast<uintptr_t>(nearest.base);
  const auto end = base + nearest.bytes;
  if ((wanted >= end ? wanted - end : base - wanted) > farthest) return nullptr;
  std::snprintf(text, size, "%s of %s at %p", distance_from(wanted, nearest.base, nearest.bytes).c_str(),
                name_of(nearest).c_str(), static_cast<void*>(nearest.base));
  return nearest.base;
}

void describe_address(const void* address, char* text, size_t size) {
  const void* const base = describe(address, text, size);
  if (!base || !installed_operation_listener) return;
  const size_t used = std::strlen(text);
  std::snprintf(text + used, size - used, "%s", installed_operation_listener->history_of(base).c_str());
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

device_heap& make_process_heap() {
  cohort_describe_addresses_by(describe_address);
  auto& made = *new device_heap(chosen_guard(), reserved_bytes(), most_spans());
  pthread_atfork(nullptr, nullptr, [] { process_heap().begin_child(); });
  return made;
}

}  // namespace

guard_mode chosen_guard() {
  const cohort_device* device = cohort_device_get(0);
  return device ? static_cast<guard_mode>(device->memory_guard) : guard_mode::page;
}

device_heap& process_heap() {
  static device_heap& made = make_process_heap();
  return made;
}

namespace {

void report_damage(const std::string& place, device_state& device) {
  std::fprintf(stderr,
               "cohort: memory was overwritten %s of device %d\n"
               "  by a kernel or a host access since the last synchronisation; COHORT_GUARD=strict found it\n",
               place.c_str(), device.index);
  record_failure(device, cudaErrorIllegalAddress);
}

void check_kernel_heap(device_state& device) {
  const heap_finding found = process_kernel_heap().find_damage(device.index);
  if (found.what == heap_misuse::none) return;
  char of_memory[128];
  std::snprintf(of_memory, sizeof of_memory, "%zu bytes of malloc or new in a kernel at %p", found.memory.bytes,
                static_cast<void*>(found.memory.base));
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

void check_variables(device_state& device) {
  const char* at = nullptr;
  named_variable beside;
  if (!symbol_table::instance().find_damage(device.index, &at, &beside)) return;
  report_damage(
      distance_from(reinterpret_cast<uintptr_t>(at), beside.address, beside.bytes) + " of " + title_of(beside), device);
}

}  // namespace

void check_damage(const memory_range& allocation, device_state& device) {
  const char* const at = process_heap().find_damage(allocation);
  if (!at) return;
  char base[32];
  std::snprintf(base, sizeof base, " at %p", static_cast<void*>(allocation.base));
  report_damage(distance_from(reinterpret_cast<uintptr_t>(at), allocation.base, allocation.bytes) + base, device);
}

void check_all_damage(device_state& device) {
  if (process_heap().mode() != guard_mode::strict) return;
  const auto has_failed = [&] { return device.fatal_error.load(std::memory_order_acquire) != cudaSuccess; };
  if (has_failed()) return;  // reported already
  for (const memory_range& allocation : allocation_table::instance().own_memory(device.index)) {
    check_damage(allocation, device);
  }
  if (!has_failed()) check_variables(device);
  if (!has_failed()) check_kernel_heap(device);
}

}  // namespace cohort::runtime
