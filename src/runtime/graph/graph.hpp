// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of work. A node keeps a prototype of its operation; each launch runs copies of the prototypes. The scheduler's
// lock guards all graphs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../state/device_state.hpp"
#include "../state/operation.hpp"

namespace cohort::runtime {

struct graph;

struct graph_node {
  explicit graph_node(graph& owner);
  ~graph_node();
  graph_node(const graph_node&) = delete;

  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  graph* owner;
  device_state* device = nullptr;
  std::shared_ptr<const operation> work;  // null for empty nodes and child graphs
  std::unique_ptr<graph> child;
  bool enabled = true;
  uint64_t id;            // of all nodes of the process
  uint64_t clone_of = 0;  // id of the node that this one copies
  std::vector<graph_node*> dependencies;
  std::vector<graph_node*> dependents;
};

struct graph {
  graph();
  ~graph();
  graph(const graph&) = delete;

  std::vector<std::unique_ptr<graph_node>> nodes;  // in the order of creation
  bool is_child = false;                           // owned by a node

  graph_node& add(cudaGraphNodeType type, device_state* device, std::shared_ptr<const operation> work);
  // A copy, in which each node's clone_of is the id of the node in this graph.
  std::unique_ptr<graph> clone() const;
  // The node of this copy, or of its child graphs, that was made from `original`; null if there is none.
  graph_node* find_clone(uint64_t original);
  // The nodes such that each follows its dependencies. Fewer than all nodes if there is a cycle.
  std::vector<graph_node*> in_order() const;
};

// False if the edge exists, or if `from` is `to`.
bool add_edge(graph_node& from, graph_node& to);
// False if there is no such edge.
bool remove_edge(graph_node& from, graph_node& to);
void remove_node(graph_node& node);

inline cudaGraph_t handle_of(graph* g) { return reinterpret_cast<cudaGraph_t>(g); }
inline cudaGraphNode_t handle_of(graph_node* n) { return reinterpret_cast<cudaGraphNode_t>(n); }
// Null for a handle of no existing object.
graph* find_graph(cudaGraph_t handle);
graph_node* find_node(cudaGraphNode_t handle);

}  // namespace cohort::runtime
