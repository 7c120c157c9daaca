// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/node/memory_nodes.hpp"

#include <algorithm>
#include <utility>

#include "runtime/graph/node/node_rules.hpp"
#include "runtime/guard/device_heap.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

bool is_device(const cudaMemLocation& place) {
  return place.type == cudaMemLocationTypeDevice && place.id >= 0 && place.id < device_count();
}

cudaError_t check_parameters(const cudaMemAllocNodeParams* p) {
  if (!p || p->bytesize == 0) return cudaErrorInvalidValue;
  if (p->poolProps.allocType != cudaMemAllocationTypePinned || !is_device(p->poolProps.location)) {
    return cudaErrorInvalidValue;
  }
  if (p->poolProps.handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
  if (p->accessDescCount > static_cast<size_t>(device_count())) return cudaErrorInvalidValue;
  if (p->accessDescCount > 0 && !p->accessDescs) return cudaErrorInvalidValue;
  const bool permitted =
      std::all_of(p->accessDescs, p->accessDescs + p->accessDescCount, [](const cudaMemAccessDesc& right) {
        return is_device(right.location) &&
               (right.flags == cudaMemAccessFlagsProtRead || right.flags == cudaMemAccessFlagsProtReadWrite);
      });
  return permitted ? cudaSuccess : cudaErrorInvalidValue;
}

// An allocation of the graph whose free precedes the new node; null if there is none. Null also for a checker that
// keeps freed memory: different addresses distinguish late accesses to the earlier allocation from accesses to the new
// one.
graph_allocation* find_freed(graph& g, const std::vector<graph_node*>& before, int device, size_t bytes) {
  if (keeps_freed_memory) return nullptr;
  for (graph_allocation& each : g.allocations) {
    if (!each.free_node || each.memory->device != device || each.memory->range.bytes != bytes) continue;
    const bool is_ordered = std::any_of(before.begin(), before.end(),
                                        [&](const graph_node* node) { return precedes(*each.free_node, *node); });
    if (is_ordered) return &each;
  }
  return nullptr;
}

}  // namespace

allocation_work::allocation_work(graph_memory_ref memory, const cudaMemAllocNodeParams& parameters)
    : graph_allocation_operation(std::move(memory)),
      parameters_(parameters),
      rights_(parameters.accessDescs, parameters.accessDescs + parameters.accessDescCount) {
  parameters_.accessDescs = rights_.empty() ? nullptr : rights_.data();
}

cudaError_t add_allocation_node(graph& g, const std::vector<graph_node*>& before, cudaMemAllocNodeParams* parameters,
                                graph_node** made) {
  if (const cudaError_t error = check_parameters(parameters); error != cudaSuccess) return error;
  if (const cudaError_t error = permits_node(g, cudaGraphNodeTypeMemAlloc); error != cudaSuccess) return error;
  const int device = parameters->poolProps.location.id;
  graph_allocation* known = find_freed(g, before, device, parameters->bytesize);
  if (!known) {
    graph_memory_ref memory;
    const cudaError_t error = graph_memory::reserve(device, parameters->bytesize, g.id, &memory);
    if (error != cudaSuccess) return error;
    g.allocations.push_back({std::move(memory), nullptr});
    known = &g.allocations.back();
  }
  known->free_node = nullptr;
  known->memory->freed_by_owner = false;
  parameters->dptr = known->memory->range.base;
  auto work = std::make_shared<allocation_work>(known->memory, *parameters);
  *made = &g.add(cudaGraphNodeTypeMemAlloc, &device_at(device), std::move(work));
  return cudaSuccess;
}

cudaError_t add_free_node(graph& g, void* address, graph_node** made) {
  const graph_memory_ref memory = find_graph_memory(address);
  if (!memory || memory->range.base != address) return cudaErrorInvalidValue;
  if (const cudaError_t error = permits_node(g, cudaGraphNodeTypeMemFree); error != cudaSuccess) return error;
  const bool is_owner = memory->owner == g.id;
  if (memory->freed_by_owner || (is_owner && memory->freed_by_others)) return cudaErrorInvalidValue;
  const bool is_freed_here = g.has_node([&](const graph_node& node) {
    const auto* const earlier = dynamic_cast<const graph_free_operation*>(node.work.get());
    return !is_owner && earlier && earlier->memory() == memory;
  });
  if (is_freed_here) return cudaErrorInvalidValue;
  auto work = std::make_shared<graph_free_operation>(memory, current_call_site());
  *made = &g.add(cudaGraphNodeTypeMemFree, &device_at(memory->device), std::move(work));
  (is_owner ? memory->freed_by_owner : memory->freed_by_others) = true;
  for (graph_allocation& each : g.allocations) {
    if (each.memory == memory) each.free_node = *made;
  }
  return cudaSuccess;
}

}  // namespace cohort::runtime
