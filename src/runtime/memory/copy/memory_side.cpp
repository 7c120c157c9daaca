// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/copy/memory_side.hpp"

#include <cstdint>

#include "runtime/guard/device_heap.hpp"
#include "runtime/guard/kernel_heap.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/virtual/address_space.hpp"
#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

namespace {

// No system maps memory at these addresses.
constexpr uintptr_t null_bytes = 4096;

memory_place outside_at(const void* illegal) {
  return {memory_side::outside, -1, static_cast<const char*>(illegal), nullptr};
}

// A range that must end at `end` or before it.
memory_place inside(memory_side side, int device, const char* first, size_t bytes, const char* end) {
  if (bytes > static_cast<size_t>(end - first)) return outside_at(end);
  return {side, device, nullptr, end};
}

// A range of reserved addresses, which may cross several mappings.
memory_place find_mapped(const char* first, size_t bytes, bool writes, const reserved_place& reserved) {
  const address_space& space = address_space::instance();
  if (space.permits(first, bytes, writes)) {
    return {memory_side::device, reserved.memory->device(), nullptr, first + bytes};
  }
  reserved_place at = reserved;
  const char* illegal = first;
  while (at.memory && space.permits(illegal, 1, writes)) {
    illegal = at.mapping + at.mapped_bytes;
    if (!space.find(illegal, &at)) break;
  }
  return outside_at(illegal);
}

// A range that begins in the addresses of device memory, but in no allocation of the host's calls.
memory_place find_in_heap(const char* first, size_t bytes) {
  memory_range near;
  bool is_live = false;
  if (!process_kernel_heap().find_near(first, &near, &is_live) || !is_live || !near.contains(first)) {
    return outside_at(first);
  }
  const char* const end = near.base + near.bytes;
  return bytes > static_cast<size_t>(end - first) ? outside_at(end) : memory_place{};
}

}  // namespace

memory_place find_memory(const void* memory, size_t bytes, bool writes) {
  const char* const first = static_cast<const char*>(memory);
  allocation known;
  reserved_place reserved;
  if (address_space::instance().find(first, &reserved)) return find_mapped(first, bytes, writes, reserved);
  if (allocation_table::instance().find(first, &known)) {
    const bool host = known.kind == memory_kind::host || known.kind == memory_kind::registered;
    const bool is_shared = host || known.kind == memory_kind::managed;
    return inside(host ? memory_side::pinned : memory_side::device, is_shared ? -1 : known.device, first, bytes,
                  known.base + known.bytes);
  }
  variable v;
  if (symbol_table::instance().find_variable_around(first, &v)) {
    return inside(memory_side::device, v.flags & cohort_variable_managed ? -1 : v.device, first, bytes,
                  static_cast<char*>(v.address) + v.bytes);
  }
  if (process_heap().reserves(first)) return find_in_heap(first, bytes);
  return reinterpret_cast<uintptr_t>(first) < null_bytes ? outside_at(first) : memory_place{};
}

}  // namespace cohort::runtime
