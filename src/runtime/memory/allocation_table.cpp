// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/allocation_table.hpp"

#include <algorithm>
#include <utility>

#include <cohort/machine/cpu/port.hpp>

#include "runtime/guard/distance.hpp"
#include "runtime/guard/memory_guard.hpp"
#include "runtime/guard/memory_owner.hpp"
#include "runtime/memory/pool/memory_pool.hpp"
#include "runtime/state/device_state.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

std::string name_of(const allocation& memory) {
  switch (memory.kind) {
    case memory_kind::managed:
      return "managed memory";
    case memory_kind::host:
      return "pinned host memory";
    case memory_kind::registered:
      return "registered host memory";
    case memory_kind::opened:
      if (memory.exporter == 0) return "external memory";
      return "device memory that process " + std::to_string(memory.exporter) + " exported, opened";
    case memory_kind::mapped:
      return "mapped memory";
    case memory_kind::graph:
      return "device memory of a graph";
    case memory_kind::array:
      return "a CUDA array";
    case memory_kind::object:
      return "a texture or surface object";
    case memory_kind::device:
      break;
  }
  return "device memory";
}

namespace {

// An address farther away than this is unrelated to the nearest allocation.
constexpr size_t farthest = size_t{64} << 20;

address_description describe_allocation(const void* address) {
  allocation nearest;
  if (!allocation_table::instance().find_nearest(address, &nearest)) return {};
  if (nearest.contains(address, 1)) {
    // Mapped memory and memory of graphs have owners of their own, which describe the addresses inside.
    const bool is_own = nearest.kind != memory_kind::mapped && nearest.kind != memory_kind::graph;
    return {is_own ? nearness::inside : nearness::none};
  }
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  const auto base = reinterpret_cast<uintptr_t>(nearest.base);
  const auto end = base + nearest.bytes;
  if ((wanted >= end ? wanted - end : base - wanted) > farthest) return {};
  return {nearness::far,
          distance_from(wanted, nearest.base, nearest.bytes) + " of " + name_of(nearest) + at_address(nearest.base),
          nearest.base};
}

void check_own_memory(device_state& device) {
  for (const memory_range& memory : allocation_table::instance().own_memory(device.index)) {
    check_damage(memory, device);
  }
}

constexpr memory_owner allocation_owner{describe_allocation, check_own_memory};

}  // namespace

allocation_table& allocation_table::instance() {
  static allocation_table* const table = [] {
    add_memory_owner(owner_kind::allocations, allocation_owner);
    return new allocation_table;
  }();
  return *table;
}

bool allocation_table::charge(int device, size_t bytes) {
  const cohort_device* described = cohort_device_get(device);
  std::unique_lock lock(mutex_);
  if (used_.size() <= static_cast<size_t>(device)) used_.resize(static_cast<size_t>(device) + 1, 0);
  size_t& used = used_[static_cast<size_t>(device)];
  if (!described || bytes > described->memory_bytes || used > described->memory_bytes - bytes) return false;
  used += bytes;
  return true;
}

void allocation_table::discharge(int device, size_t bytes) {
  std::unique_lock lock(mutex_);
  used_[static_cast<size_t>(device)] -= bytes;
}

cudaError_t allocation_table::allocate(memory_kind kind, int device, size_t bytes, unsigned flags,
                                       std::shared_ptr<memory_pool> pool, void** memory) {
  if (counts(kind) && !charge(device, bytes)) return cudaErrorMemoryAllocation;
  void* const base = process_heap().obtain(bytes);
  if (!base) {
    if (counts(kind)) discharge(device, bytes);
    return cudaErrorMemoryAllocation;
  }
  if (installed_operation_listener) installed_operation_listener->allocated(base, bytes, nullptr);
  std::unique_lock lock(mutex_);
  by_base_[static_cast<const char*>(base)] =
      allocation{static_cast<char*>(base), bytes, kind, false, device, flags, std::move(pool), false, 0, 0, {}};
  *memory = base;
  return cudaSuccess;
}

cudaError_t allocation_table::map_file(int file, uint64_t offset, const allocation& described, void** memory) {
  allocation made = described;
  if (counts(made.kind) && !charge(made.device, made.bytes)) return cudaErrorMemoryAllocation;
  void* const base = process_heap().obtain_shared(file, offset, made.bytes);
  if (!base) {
    if (counts(made.kind)) discharge(made.device, made.bytes);
    return cudaErrorMapBufferObjectFailed;
  }
  if (installed_operation_listener) installed_operation_listener->allocated(base, made.bytes, nullptr);
  made.base = static_cast<char*>(base);
  if (counts(made.kind)) process_heap().mark_beside({made.base, made.bytes});
  std::unique_lock lock(mutex_);
  by_base_[made.base] = std::move(made);
  *memory = base;
  return cudaSuccess;
}

cudaError_t allocation_table::enter(const allocation& known) {
  std::unique_lock lock(mutex_);
  const auto after = by_base_.lower_bound(known.base);
  const bool next_overlaps = after != by_base_.end() && after->first < known.base + known.bytes;
  if (next_overlaps || find_unlocked(known.base)) return cudaErrorHostMemoryAlreadyRegistered;
  by_base_[known.base] = known;
  return cudaSuccess;
}

const allocation* allocation_table::find_unlocked(const void* address) const {
  auto at = by_base_.upper_bound(static_cast<const char*>(address));
  if (at == by_base_.begin()) return nullptr;
  --at;
  return at->second.contains(address, 1) ? &at->second : nullptr;
}

bool allocation_table::find(const void* address, allocation* found) const {
  std::shared_lock lock(mutex_);
  const allocation* a = find_unlocked(address);
  if (a) *found = *a;
  return a != nullptr;
}

bool allocation_table::find_nearest(const void* address, allocation* found) const {
  const char* const wanted = static_cast<const char*>(address);
  std::shared_lock lock(mutex_);
  const auto after = by_base_.upper_bound(wanted);
  const auto before = after == by_base_.begin() ? by_base_.end() : std::prev(after);
  if (after == by_base_.end() && before == by_base_.end()) return false;
  auto distance = [&](const allocation& a) {
    if (a.contains(wanted, 1)) return size_t{0};
    return static_cast<size_t>(wanted < a.base ? a.base - wanted : wanted - (a.base + a.bytes) + 1);
  };
  const bool takes_before =
      after == by_base_.end() || (before != by_base_.end() && distance(before->second) <= distance(after->second));
  *found = (takes_before ? before : after)->second;
  return true;
}

std::vector<memory_range> allocation_table::own_memory(int device) const {
  std::vector<memory_range> all;
  std::shared_lock lock(mutex_);
  for (const auto& [base, a] : by_base_) {
    const bool is_own = counts(a.kind) || a.kind == memory_kind::host;
    if (a.device == device && is_own) all.push_back({a.base, a.bytes});
  }
  return all;
}

std::vector<std::shared_ptr<graph_memory>> allocation_table::memory_of_graphs(int device) const {
  std::vector<std::shared_ptr<graph_memory>> all;
  std::shared_lock lock(mutex_);
  for (const auto& [base, a] : by_base_) {
    if (a.kind != memory_kind::graph || a.device != device) continue;
    if (auto memory = a.graph.lock()) all.push_back(std::move(memory));
  }
  return all;
}

bool allocation_table::mark_exported(const void* base) {
  std::unique_lock lock(mutex_);
  const auto at = by_base_.find(static_cast<const char*>(base));
  if (at == by_base_.end()) return false;
  at->second.exported = true;
  return true;
}

bool allocation_table::set_synchronous_copies(const void* address, bool waits) {
  std::unique_lock lock(mutex_);
  const allocation* const known = find_unlocked(address);
  if (!known || !known->is_device_memory()) return false;
  by_base_.find(known->base)->second.synchronous_copies = waits;
  return true;
}

bool allocation_table::begin_free(const void* base) {
  std::unique_lock lock(mutex_);
  const auto at = by_base_.find(static_cast<const char*>(base));
  if (at == by_base_.end() || !at->second.is_device_memory() || at->second.being_freed) return false;
  at->second.being_freed = true;
  return true;
}

void allocation_table::release(const allocation& taken, bool by_reset) {
  if (taken.kind == memory_kind::registered) return;
  if (installed_operation_listener) installed_operation_listener->freed(taken.base, by_reset, nullptr);
  if (taken.kind != memory_kind::opened) check_damage({taken.base, taken.bytes}, device_at(taken.device));
  process_heap().release(taken.base, taken.bytes);
  if (counts(taken.kind)) discharge(taken.device, taken.bytes);
  // Opened memory is not counted here: its exporter counts it.
  if (taken.pool && taken.kind != memory_kind::opened) taken.pool->note_free(taken.bytes, taken.file_offset);
}

cudaError_t allocation_table::refuse_free(const void* memory) {
  if (installed_operation_listener) installed_operation_listener->refuses_free(memory);
  return cudaErrorInvalidValue;
}

std::vector<allocation> allocation_table::take_all(int device) {
  std::unique_lock lock(mutex_);
  std::vector<allocation> taken;
  for (auto at = by_base_.begin(); at != by_base_.end();) {
    const memory_kind kind = at->second.kind;
    if (at->second.device != device || kind == memory_kind::mapped || kind == memory_kind::graph) {
      ++at;
      continue;
    }
    taken.push_back(at->second);
    at = by_base_.erase(at);
  }
  return taken;
}

size_t allocation_table::used(int device) const {
  std::shared_lock lock(mutex_);
  return static_cast<size_t>(device) < used_.size() ? used_[static_cast<size_t>(device)] : 0;
}

}  // namespace cohort::runtime
