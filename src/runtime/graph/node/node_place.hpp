// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common part of all calls that add a node.
#pragma once

#include <vector>

#include "runtime/graph/model/graph_call.hpp"
#include "runtime/graph/node/node_rules.hpp"
#include "runtime/graph/node/node_work.hpp"

namespace cohort::runtime {

struct node_place {
  cudaGraphNode_t* made;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  size_t count;
};

// Calls `add(graph&, dependencies, graph_node**)` with the graph and the dependencies of the place, under the
// scheduler's lock, and adds the edges to the new node.
template <class Add>
cudaError_t add_node_by(const node_place& at, Add&& add) {
  return with_graph(at.graph, [&](graph& g) {
    if (!at.made) return cudaErrorInvalidValue;
    std::vector<graph_node*> before;
    cudaError_t error = read_dependencies(g, at.dependencies, at.count, &before);
    if (error != cudaSuccess) return error;
    graph_node* node = nullptr;
    error = add(g, before, &node);
    if (error != cudaSuccess) return error;
    for (graph_node* each : before) add_edge(*each, *node);
    *at.made = handle_of(node);
    return cudaSuccess;
  });
}

// Adds a node; `fill(graph_node&)` completes it.
template <class Fill>
cudaError_t add_node(const node_place& at, cudaGraphNodeType type, const node_work& work, Fill&& fill) {
  return add_node_by(at, [&](graph& g, const std::vector<graph_node*>&, graph_node** made) {
    cudaError_t error = permits_node(g, type);
    if (error != cudaSuccess) return error;
    graph_node& node = g.add(type, &current_device(), work);
    error = fill(node);
    if (error == cudaSuccess) {
      *made = &node;
    } else {
      remove_node(node);
    }
    return error;
  });
}

}  // namespace cohort::runtime
