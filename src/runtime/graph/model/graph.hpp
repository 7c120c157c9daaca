// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of work. A node keeps a prototype of its operation; each launch runs copies of the prototypes. The scheduler's
// lock guards all graphs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/graph/model/condition.hpp"
#include "runtime/graph/model/user_object.hpp"
#include "runtime/memory/graph/graph_memory.hpp"
#include "runtime/state/device_state.hpp"
#include "runtime/state/operation.hpp"

namespace cohort::runtime {

struct graph;

// The members that only conditional nodes have.
struct conditional_part {
  std::shared_ptr<condition> value;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::unique_ptr<graph>> bodies;
  std::vector<cudaGraph_t> handles;  // handles of the bodies, for the program
};

struct graph_node {
  explicit graph_node(graph& owner);
  ~graph_node();
  graph_node(const graph_node&) = delete;

  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  graph* owner;
  device_state* device = nullptr;
  std::shared_ptr<const operation> work;  // null for empty, child graph and conditional nodes
  std::unique_ptr<graph> child;
  bool owns_original = false;  // the child is the program's graph itself, not a copy
  std::unique_ptr<conditional_part> conditional;
  bool enabled = true;
  void* context = nullptr;  // the program's handle of the context that the node's parameters name
  uint64_t id;              // unique in the process
  uint64_t clone_of = 0;    // id of the node that this one copies
  std::vector<graph_node*> dependencies;
  std::vector<graph_node*> dependents;

  // Calls `use(graph&)` for the child graph or the bodies.
  template <class Use>
  void for_inner_graphs(Use&& use) const {
    if (child) use(*child);
    if (!conditional) return;
    for (const auto& body : conditional->bodies) use(*body);
  }
};

// Memory that a graph allocates. Allocations with disjoint lifetimes share it.
struct graph_allocation {
  graph_memory_ref memory;
  const graph_node* free_node = nullptr;  // frees the latest allocation; null: the graph does not free it
};

struct graph {
  graph();
  ~graph();
  graph(const graph&) = delete;

  const uint64_t id;                                   // unique in the process
  std::vector<std::unique_ptr<graph_node>> nodes;      // in the order of creation
  const graph_node* holder = nullptr;                  // the node that owns this graph; null: the program owns it
  std::vector<std::shared_ptr<condition>> conditions;  // in the order of creation
  std::vector<graph_allocation> allocations;
  user_objects objects;

  // The graph whose node owns this one; null: the program owns it.
  const graph* outer() const { return holder ? holder->owner : nullptr; }
  graph_node& add(cudaGraphNodeType type, device_state* device, std::shared_ptr<const operation> work);
  // Returns a copy, in which each node's clone_of is the id of the original node. Memory and conditions are shared.
  std::unique_ptr<graph> clone() const;
  // The node of this copy, or of a graph inside it, that was made from `original`; null if there is none.
  graph_node* find_clone(uint64_t original);
  // The nodes in topological order; fewer than all nodes if there is a cycle.
  std::vector<graph_node*> in_order() const;
  // True if a node of this graph, or of a graph inside it, meets the condition.
  template <class Predicate>
  bool has_node(Predicate&& meets) const {
    for (const auto& node : nodes) {
      bool found = meets(*node);
      node->for_inner_graphs([&](const graph& inner) { found = found || inner.has_node(meets); });
      if (found) return true;
    }
    return false;
  }
};

// Returns a clone that the node `holder` owns.
std::unique_ptr<graph> clone_inside(const graph& original, const graph_node& holder);
// Adds an edge. False if it exists, or if `from` is `to`.
bool add_edge(graph_node& from, graph_node& to);
// Removes an edge. False if it does not exist.
bool remove_edge(graph_node& from, graph_node& to);
void remove_node(graph_node& node);
// True if `later` is `earlier` or follows it.
bool precedes(const graph_node& earlier, const graph_node& later);

inline cudaGraph_t handle_of(graph* g) { return reinterpret_cast<cudaGraph_t>(g); }
inline cudaGraphNode_t handle_of(graph_node* n) { return reinterpret_cast<cudaGraphNode_t>(n); }
// Return the object of a handle; null if it does not exist.
graph* find_graph(cudaGraph_t handle);
graph_node* find_node(cudaGraphNode_t handle);

}  // namespace cohort::runtime
