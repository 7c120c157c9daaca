// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/report/variables.hpp"

#include <iterator>

#include "check/memory/allocations.hpp"
#include "check/memory/tool_ports.hpp"
#include "check/report/shared_variables.hpp"

namespace cohort::check {

namespace {

// A cache of one OS thread: its latest variable, and addresses in no variable. Most accesses repeat one of them.
struct recent_variables {
  address_range latest;
  uintptr_t others[64] = {};
};

}  // namespace

bool find_variable(uintptr_t at, tools::variable* found) {
  for (uintptr_t distance = 0; distance <= variable_padding; ++distance) {
    const void* const before = reinterpret_cast<const void*>(at - distance);
    if (tools::find_variable(before, found)) return true;
  }
  return false;
}

held in_shared(tools::block_view b, uintptr_t at, size_t bytes, address_range* around) {
  const auto static_first = reinterpret_cast<uintptr_t>(b.static_shared().data());
  const auto dynamic_first = reinterpret_cast<uintptr_t>(b.dynamic_shared().data());
  const size_t static_bytes = b.static_shared().size(), dynamic_bytes = b.dynamic_shared().size();
  if (at - dynamic_first < dynamic_bytes) {
    if (around) *around = {dynamic_first, dynamic_first + dynamic_bytes};
    return bytes <= dynamic_bytes - (at - dynamic_first) ? held::inside : held::outside;
  }
  if (at - static_first < static_bytes) {
    size_t offset = 0, size = static_bytes;
    if (!find_shared_variable(b.grid().kernel(), at - static_first, &offset, &size)) return held::outside;
    if (around) *around = {static_first + offset, static_first + offset + size};
    return at - static_first + bytes <= offset + size ? held::inside : held::outside;
  }
  const bool behind_dynamic = at - dynamic_first - dynamic_bytes < unused_bytes;
  const bool behind_static = static_bytes != 0 && at - static_first - static_bytes < unused_bytes;
  return (dynamic_bytes != 0 && behind_dynamic) || behind_static ? held::outside : held::elsewhere;
}

held in_allocations(uintptr_t at, size_t bytes) {
  if (is_allocated(at, bytes)) return held::inside;
  const auto* const address = reinterpret_cast<const char*>(at);
  if (const tools::heap_place near = tools::find_in_heap(address); near.is_in_heap) {
    const bool holds_all = tools::contains(near.block, address) && tools::contains(near.block, address + bytes - 1);
    return near.has_block && near.is_live && holds_all ? held::inside : held::outside;
  }
  known_allocation near;
  return find_allocation(address, &near) ? held::outside : held::elsewhere;
}

held in_variables(uintptr_t at, size_t bytes, address_range* around) {
  static thread_local recent_variables recent;
  if (recent.latest.contains(at, bytes)) {
    if (around) *around = recent.latest;
    return held::inside;
  }
  uintptr_t& other = recent.others[at / 4 % std::size(recent.others)];
  if (other == at) return held::elsewhere;
  tools::variable near;
  if (!find_variable(at, &near)) {
    other = at;
    return held::elsewhere;
  }
  const auto first = reinterpret_cast<uintptr_t>(near.address);
  if (at + bytes > first + near.bytes) return held::outside;
  recent.latest = {first, first + near.bytes, near.is_constant};
  if (around) *around = recent.latest;
  return held::inside;
}

void find_shared_range(tools::block_view b, const void* address, address_range* around) {
  in_shared(b, reinterpret_cast<uintptr_t>(address), 1, around);
}

bool is_constant(uintptr_t at, size_t bytes) {
  address_range around;
  return in_allocations(at, bytes) == held::elsewhere && in_variables(at, bytes, &around) == held::inside &&
         around.is_constant;
}

}  // namespace cohort::check
