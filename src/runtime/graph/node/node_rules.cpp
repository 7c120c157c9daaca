// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/node/node_rules.hpp"

#include <algorithm>

#include "runtime/memory/graph/memory_operations.hpp"

namespace cohort::runtime {

namespace {

// Whether a body of a conditional node may hold a node of the type: only work of a device.
bool may_be_in_body(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeConditional:
      return true;
    default:
      return false;
  }
}

// True if the graph is a body or is inside one.
bool is_in_body(const graph& g) {
  for (const graph* at = &g; at->holder; at = at->outer()) {
    if (at->holder->conditional) return true;
  }
  return false;
}

}  // namespace

bool is_plain(const cudaGraphEdgeData* data, size_t count) {
  return !data || std::all_of(data, data + count, [](const cudaGraphEdgeData& edge) {
    return edge.from_port == 0 && edge.to_port == 0 && edge.type == 0;
  });
}

bool has_memory_nodes(const graph& g) {
  return g.has_node([](const graph_node& node) { return is_memory_node(node.type); });
}

bool may_be_copied(const graph& g) {
  return !g.has_node([](const graph_node& node) { return is_memory_node(node.type) || node.conditional; });
}

bool is_owned(const graph& g) { return g.holder && (g.holder->owns_original || g.holder->conditional); }

cudaError_t permits_node(const graph& g, cudaGraphNodeType type, const graph* child) {
  if (g.holder && is_memory_node(type)) return cudaErrorNotSupported;
  if (!is_in_body(g)) return cudaSuccess;
  const bool refused = !may_be_in_body(type) ||
                       (child && child->has_node([](const graph_node& node) { return !may_be_in_body(node.type); }));
  return refused ? cudaErrorNotSupported : cudaSuccess;
}

cudaError_t copy_child(graph_node& node, const graph& original) {
  if (!may_be_copied(original)) return cudaErrorNotSupported;
  if (const cudaError_t error = permits_node(*node.owner, node.type, &original); error != cudaSuccess) return error;
  node.child = clone_inside(original, node);
  return cudaSuccess;
}

bool has_equal_memory(const graph_node& a, const graph_node& b) {
  const auto* const first = dynamic_cast<const graph_allocation_operation*>(a.work.get());
  const auto* const second = dynamic_cast<const graph_allocation_operation*>(b.work.get());
  if (!first || !second) return true;
  return first->memory()->device == second->memory()->device &&
         first->memory()->range.bytes == second->memory()->range.bytes;
}

}  // namespace cohort::runtime
