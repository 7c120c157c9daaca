// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/graph/graph_memory.hpp"

#include <utility>
#include <vector>

#include "runtime/guard/device_heap.hpp"
#include "runtime/guard/distance.hpp"
#include "runtime/guard/memory_guard.hpp"
#include "runtime/guard/memory_owner.hpp"
#include "runtime/memory/allocation_table.hpp"
#include "runtime/memory/graph/memory_operations.hpp"
#include "runtime/memory/graph/physical_blocks.hpp"
#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

// The number of graphs' allocations. Most programs have none, and their copies skip the lookup.
std::atomic<size_t> memory_count{0};

// Describes an address in memory of a graph, which is accessible only between allocation and free.
address_description describe_graph_memory(const void* address) {
  allocation known;
  if (!allocation_table::instance().find(address, &known) || known.kind != memory_kind::graph) return {};
  const graph_memory_ref memory = known.graph.lock();
  if (!memory || memory->is_accessible) return {nearness::inside};
  const memory_range& range = memory->range;
  const std::string of_memory = byte_of(address, range.base, range.bytes) + at_address(range.base);
  if (!memory->was_allocated)
    return {nearness::inside, of_memory + ", which no launch of their graph has allocated yet"};
  return {nearness::inside, of_memory + ", which were freed", range.base};
}

constexpr memory_owner graph_owner{describe_graph_memory};

// Records a free: the next launch may use the pages. pre: the caller holds the scheduler's lock
void note_free(graph_memory& memory, const operation_ref& op, uint64_t stream) {
  memory.last_use = op;
  if (const auto block = block_of(memory)) block->release(op, stream);
}

}  // namespace

cudaError_t graph_memory::reserve(int device, size_t bytes, uint64_t owner, graph_memory_ref* made) {
  add_memory_owner(owner_kind::graphs, graph_owner);
  void* const base = process_heap().obtain(bytes);
  if (!base) return cudaErrorMemoryAllocation;
  *made = std::make_shared<graph_memory>(memory_range{static_cast<char*>(base), bytes}, device, owner);
  allocation known;
  known.base = (*made)->range.base;
  known.bytes = bytes;
  known.kind = memory_kind::graph;
  known.device = device;
  known.graph = *made;
  process_heap().hide((*made)->range);
  return allocation_table::instance().enter(known);
}

graph_memory::graph_memory(const memory_range& range, int device, uint64_t owner)
    : range(range), device(device), owner(owner), made_at(current_call_site()) {
  ++memory_count;
}

graph_memory::~graph_memory() {
  allocation taken;
  allocation_table::instance().take(range.base, [](const allocation&) { return true; }, &taken);
  end_life();
  process_heap().release(range.base, range.bytes);
  --memory_count;
}

void graph_memory::begin_life() {
  process_heap().reveal(range);
  if (installed_operation_listener) installed_operation_listener->allocated(range.base, range.bytes, made_at);
  was_allocated = true;
  is_accessible = true;
}

void graph_memory::end_life(const void* freed_at) {
  if (!is_accessible.exchange(false)) return;
  if (installed_operation_listener) installed_operation_listener->freed(range.base, false, freed_at);
  check_damage(range, device_at(device));
  process_heap().hide(range);
}

graph_memory_ref find_graph_memory(const void* address) {
  allocation known;
  if (memory_count == 0 || !allocation_table::instance().find(address, &known)) return nullptr;
  return known.graph.lock();
}

bool can_access(const void* address) {
  const graph_memory_ref memory = find_graph_memory(address);
  return !memory || memory->is_accessible;
}

bool may_request(const void* address) {
  const graph_memory_ref memory = find_graph_memory(address);
  if (!memory) return true;
  auto held = scheduler::instance().lock();
  const operation_ref last = memory->last_use.lock();
  return memory->live || (last && !last->finished());
}

cudaError_t free_in_stream(const graph_memory_ref& memory, stream& s) {
  graph_memory_ref ended;  // destroyed without the lock
  auto held = scheduler::instance().lock();
  if (!memory->live) return allocation_table::refuse_free(memory->range.base);
  const auto op = std::make_shared<graph_free_operation>(memory, current_call_site());
  const cudaError_t error = scheduler::instance().submit_locked(s, op);
  if (error != cudaSuccess) return error;
  note_free(*memory, op, number_of(s));
  ended = std::move(memory->live);
  held.unlock();
  return cudaSuccess;
}

cudaError_t free_now(const graph_memory_ref& memory) {
  graph_memory_ref ended;
  {
    auto held = scheduler::instance().lock();
    if (!memory->live) return allocation_table::refuse_free(memory->range.base);
    note_free(*memory, nullptr, 0);
    ended = std::move(memory->live);
  }
  memory->end_life();
  return cudaSuccess;
}

void reset_graph_memory(int device) {
  std::vector<graph_memory_ref> ended;
  auto held = scheduler::instance().lock();
  for (const graph_memory_ref& memory : allocation_table::instance().memory_of_graphs(device)) {
    if (memory->is_accessible && installed_operation_listener) {
      installed_operation_listener->freed(memory->range.base, true, nullptr);
    }
    if (memory->is_accessible.exchange(false)) process_heap().hide(memory->range);
    process_heap().discard(memory->range);
    memory->last_use.reset();
    ended.push_back(std::move(memory->live));
  }
  forget_physical_memory(device);
  held.unlock();
}

}  // namespace cohort::runtime
