// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/detect/bounds.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>

#include "check/memory/allocations.hpp"
#include "check/memory/enabled.hpp"
#include "check/memory/shadow.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/order/accessor.hpp"
#include "check/report/host_memory.hpp"
#include "check/report/locations.hpp"
#include "check/report/memory_findings.hpp"
#include "check/report/shared_variables.hpp"
#include "check/report/variables.hpp"
#include "check/sync/cluster_accesses.hpp"

namespace cohort::check {

namespace {

// The allocation that this OS thread looked up last.
thread_local tools::allocation recent_allocation;

// The latest allocations that accesses of this OS thread touched.
thread_local known_range recent[8];
thread_local uint32_t next_recent = 0;

// Finds a variable that starts after the address, within the padding and no farther away than the end of `before`,
// which lies in front of the address.
bool find_nearer_variable(uintptr_t at, const tools::variable& before, tools::variable* found) {
  const uintptr_t behind = at - reinterpret_cast<uintptr_t>(before.address) - before.bytes;
  for (uintptr_t distance = 1; distance <= std::min(behind, variable_padding); ++distance) {
    const void* const after = reinterpret_cast<const void*>(at + distance);
    if (tools::find_variable(after, found)) return true;
  }
  return false;
}

std::string describe_beside_variable(const char* at, const tools::variable& near) {
  tools::named_variable named;
  const bool has_name = tools::find_nearest_variable(near.address, &named) && !named.name.empty();
  return distance_from(at, near.address, near.bytes) + " of " +
         (has_name ? "the variable " + tools::name_of_symbol(named.name.c_str()) : "a device variable");
}

// For example "0 bytes behind the end of 24 bytes of malloc or new in a kernel". Empty: the address is not in the heap
// of kernels.
std::string describe_beside_heap(const char* at) {
  const auto [is_in_heap, has_block, is_live, block] = tools::find_in_heap(at);
  if (!is_in_heap) return "";
  if (!has_block) return "memory that malloc has not returned";
  const std::string owner = " of malloc or new in a kernel";
  if (is_live || !tools::contains(block, at)) return distance_from(at, block.data(), block.size()) + owner;
  return "byte " + std::to_string(at - block.data()) + " of " + std::to_string(block.size()) + " bytes" + owner +
         ", which were freed";
}

std::string describe_outside(const void* address, const accessor& c) {
  const auto* const at = static_cast<const char*>(address);
  if (std::string text = describe_beside_shared(at, c.block->block); !text.empty()) return text;
  if (std::string text = describe_beside_heap(at); !text.empty()) return text;
  known_allocation known;
  if (find_allocation(at, &known)) return describe_beside(at, known);
  tools::variable near, nearer;
  if (find_variable(reinterpret_cast<uintptr_t>(at), &near)) {
    const bool is_outside = at >= near.address + near.bytes;
    const bool has_nearer = is_outside && find_nearer_variable(reinterpret_cast<uintptr_t>(at), near, &nearer);
    return describe_beside_variable(at, has_nearer ? nearer : near);
  }
  return describe_location(address, c.block->block);
}

std::string describe_inside(const void* address, const accessor& c) {
  known_allocation known;
  std::string text = "in " + describe_location(address, c.block->block);
  if (find_allocation(address, &known) && known.made) text += allocated_at(known);
  return text;
}

std::string describe_part(const void* address, const accessor& c) {
  return describe_inside(address, c) + ";\n  a copy or fill ended inside of these bytes";
}

bool lies_in_arguments(const cohort_launch& launch, uintptr_t at) {
  for (uint32_t i = 0; i < launch.kernel->parameter_count; ++i) {
    if (at - reinterpret_cast<uintptr_t>(launch.arguments[i]) < launch.kernel->parameter_bytes[i]) return true;
  }
  return false;
}

// Memory of the engine that kernels access: stacks of the block's threads, shared memory, and scratch memory.
bool lies_in_engine(tools::block_view b, const void* address) {
  if (b.holds_private(address)) return true;
  for (const tools::block_view member : b.cluster()) {
    if (member.holds_shared(address) || tools::contains(member.exchange_of_cluster(), address)) return true;
  }
  return false;
}

// Reports the access if the host's own memory holds the address. pre: neither CUDA nor device code owns the memory
void check_host_memory(const accessor& c, const access& now) {
  static thread_local uintptr_t others[64] = {};  // cache: addresses found not to be host memory
  uintptr_t& other = others[now.address / 4 % std::size(others)];
  const tools::block_view b = c.block->block;
  const cohort_launch& launch = b.grid().description();
  const auto* const at = reinterpret_cast<const void*>(now.address);
  // Shared memory of an ended block lies in the host's heap too, but a kernel has written there.
  if (write_of(slot_of(now.address).load(std::memory_order_relaxed)) != 0) return;
  if (other == now.address || (launch.kernel->flags & cohort_kernel_plain)) return;
  tools::allocation known;
  // The result is unused: only the search for the nearest variable finds static variables of functions.
  tools::named_variable variable;
  if (lies_in_arguments(launch, now.address) || lies_in_engine(b, at) || tools::find_allocation(at, &known) ||
      tools::find_nearest_variable(at, &variable) || describe_host_memory(at).empty()) {
    other = now.address;
    return;
  }
  add_memory_problem(memory_problem::host_memory, c, now, [](const void* address, const accessor&) {
    char text[32];
    std::snprintf(text, sizeof text, " at %p", address);
    return "in " + describe_host_memory(address) + text + ", which no call of CUDA has allocated or registered";
  });
}

held find_place(const accessor& c, const access& now) {
  const tools::block_view b = c.block->block;
  const uintptr_t at = now.address;
  const size_t bytes = now.length;
  if (const held found = in_shared(b, at, bytes); found != held::elsewhere) return found;
  if (b.has_cluster()) {
    for (const tools::block_view member : b.cluster()) {
      const held found = in_shared(member, at, bytes);
      // The bytes of a bulk copy are counted by the owner of the memory, which waits for them before it ends.
      if (found == held::inside && !(now.flags & is_async_copy)) note_cluster_access(c, now, member);
      if (found != held::elsewhere) return found;
    }
  }
  if (const held found = in_allocations(at, bytes); found != held::elsewhere) return found;
  return in_variables(at, bytes);
}

std::string describe_misaligned(const void* address, const accessor& c) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return std::string(text) + " is a multiple of " + std::to_string(at & (0 - at)) + " only, " +
         describe_inside(address, c);
}

}  // namespace

void report_misaligned(const void* address, size_t alignment, uint8_t flags, const void* place) {
  const accessor c = current_accessor(nullptr);
  if (!checks_memory || !c.block) return;
  const uint64_t packed = reinterpret_cast<uint64_t>(place) | uint64_t{alignment} << 56;
  add_memory_problem(memory_problem::misaligned, c, {reinterpret_cast<uintptr_t>(address), packed, flags, alignment},
                     describe_misaligned);
}

void check_bounds(const accessor& c, const access& now) {
  const held found = find_place(c, now);
  if (found == held::outside) add_memory_problem(memory_problem::outside, c, now, describe_outside);
  if (found == held::elsewhere) check_host_memory(c, now);
}

void check_device_memory_of_host(const void* address, size_t bytes, uint8_t flags, const void* place) {
  tools::allocation& recent = recent_allocation;
  const auto is_of_device = [&] { return recent.is_own_device_memory || recent.is_opened; };
  if (recent.contains(address) && !is_of_device()) return;
  // The cached allocation may be outdated: it may have been freed and its addresses reused.
  if (!tools::find_allocation(address, &recent) || !is_of_device()) return;
  if (!add_host_problem(place, bytes, flags, describe_location(address, {}))) return;
  report_findings();
}

bool remember_variable(block_clock& b, uintptr_t at, size_t bytes, bool writes) {
  address_range around;
  held found = in_shared(b.block, at, bytes, &around);
  if (found == held::elsewhere && !b.block.has_cluster() && in_allocations(at, bytes) == held::elsewhere) {
    found = in_variables(at, bytes, &around);
  }
  if (found != held::inside) return false;
  b.variable_near(at) = around;
  return !(around.is_constant && writes);
}

address_range find_allocation_around(uintptr_t at, size_t bytes) {
  const uint32_t changes = memory_changes.load(std::memory_order_acquire);
  for (const known_range& known : recent) {
    if (known.changes == changes && known.range.contains(at, bytes)) return known.range;
  }
  known_allocation found;
  if (!find_allocation(reinterpret_cast<const void*>(at), &found) || found.freed) return {};
  const address_range range = {reinterpret_cast<uintptr_t>(found.base), reinterpret_cast<uintptr_t>(found.end())};
  recent[next_recent++ % std::size(recent)] = {range, changes};
  return range;
}

void copy_unwritten(const void* to, const void* from, size_t bytes) {
  const auto target = reinterpret_cast<uintptr_t>(to), source = reinterpret_cast<uintptr_t>(from);
  tools::allocation known;
  if (!is_enabled(check_kind::memory) || (target - source) % 4 != 0) return;
  if (!is_allocated(source, bytes) || !is_allocated(target, bytes)) return;
  if (!tools::find_allocation(from, &known)) return;
  if (!known.is_own_device_memory || known.is_exported) return;
  for (size_t at = (0 - source) % 4; at + 4 <= bytes; at += 4) {
    if (write_of(slot_of(source + at).load(std::memory_order_relaxed)) == 0) slot_of(target + at).store(0);
  }
}

void note_unwritten(const accessor& c, const access& now, bool in_part) {
  // Only device memory of this process and shared memory: other memory may have been written by the host, at the
  // program's start or by another process.
  if (is_allocated(now.address, 1)) {
    tools::allocation& recent = recent_allocation;
    const auto* const at = reinterpret_cast<const char*>(now.address);
    if (!recent.contains(at) || recent.is_own_device_memory) {
      if (!tools::find_allocation(at, &recent)) return;
    }
    if (!recent.is_own_device_memory || recent.is_exported) return;
  } else if (in_shared(c.block->block, now.address, now.length) != held::inside) {
    return;
  }
  add_memory_problem(memory_problem::unwritten, c, now, in_part ? describe_part : describe_inside);
}

void check_local(const accessor& c, const access& now, const void* base, size_t size) {
  const auto first = reinterpret_cast<uintptr_t>(base);
  if (now.address >= first && now.address + now.length <= first + size) return;
  static thread_local const void* array = nullptr;
  static thread_local size_t array_bytes = 0;
  array = base;
  array_bytes = size;
  add_memory_problem(memory_problem::outside, c, now, [](const void* address, const accessor&) {
    return distance_from(static_cast<const char*>(address), static_cast<const char*>(array), array_bytes) +
           " of a local variable or parameter";
  });
}

bool check_request(const void* first, size_t bytes, bool writes, bool fills) {
  const auto at = reinterpret_cast<uintptr_t>(first);
  if (!is_enabled(check_kind::memory) || is_allocated(at, bytes)) return false;
  const auto* const begin = static_cast<const char*>(first);
  const operation_sort sort = fills ? operation_sort::fill : operation_sort::copy;
  known_allocation known;
  if (find_allocation(begin, &known)) {
    add_memory_problem(memory_problem::outside, sort, bytes, writes, describe_beside(begin, known));
    return true;
  }
  tools::variable v;
  if (!find_variable(at, &v)) return false;
  if (at + bytes <= reinterpret_cast<uintptr_t>(v.address) + v.bytes) return false;
  add_memory_problem(memory_problem::outside, sort, bytes, writes, describe_beside_variable(begin, v));
  return true;
}

bool check_refused_free(const void* memory) {
  if (!is_enabled(check_kind::memory)) return false;
  const auto* const at = static_cast<const char*>(memory);
  known_allocation known;
  std::string text = "no call of CUDA has allocated this address";
  if (find_allocation(at, &known)) {
    const std::string bytes = std::to_string(known.bytes) + " bytes";
    if (known.freed || !known.contains(at)) {
      text = describe_beside(at, known);
    } else if (at == known.base) {
      text = bytes + ", which another call frees" + allocated_at(known);
    } else {
      text = "byte " + std::to_string(at - known.base) + " of " + bytes + ", which are freed at byte 0" +
             allocated_at(known);
    }
  }
  add_memory_problem(memory_problem::free, operation_sort::release, 0, true, std::move(text));
  return true;
}

}  // namespace cohort::check
