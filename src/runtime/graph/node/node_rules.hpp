// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for graphs by the types of their nodes.
#pragma once

#include "runtime/graph/model/graph.hpp"

namespace cohort::runtime {

inline bool is_memory_node(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree;
}
bool has_memory_nodes(const graph& g);
// False for a graph with memory nodes or conditional nodes: it can be neither cloned nor copied into a child graph
// node, and has one executable graph at a time.
bool may_be_copied(const graph& g);
// True for a graph that a node owns and the program fills: the body of a conditional node, or a graph moved into a
// node. It is a part of the outer graph only.
bool is_owned(const graph& g);
// Whether a node of the type, with the child graph if it has one, may be added to the graph. cudaErrorNotSupported for
// memory nodes in child graphs, and for types that bodies of conditional nodes may not hold.
cudaError_t permits_node(const graph& g, cudaGraphNodeType type, const graph* child = nullptr);
// Makes the child graph of the node a copy of `original`. cudaErrorNotSupported if the rules forbid it.
cudaError_t copy_child(graph_node& node, const graph& original);
// True if all edges are ordinary, the only supported type: no ports and no programmatic launches.
bool is_plain(const cudaGraphEdgeData* data, size_t count);
// True unless the nodes allocate memory of different devices or sizes.
bool has_equal_memory(const graph_node& a, const graph_node& b);

}  // namespace cohort::runtime
