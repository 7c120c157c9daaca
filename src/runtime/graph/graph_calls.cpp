// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that make, copy, change and describe graphs.
#include <algorithm>

#include "runtime/graph/model/graph_call.hpp"
#include "runtime/graph/node/node_rules.hpp"

namespace cohort::runtime {

namespace {

// Writes up to *count handles and the number written; without a list, the number of all nodes. As in CUDA, the rest of
// a longer list becomes null.
cudaError_t write_nodes(const std::vector<graph_node*>& nodes, cudaGraphNode_t* list, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (list) {
    for (size_t i = 0; i < *count; ++i) list[i] = i < nodes.size() ? handle_of(nodes[i]) : nullptr;
  }
  *count = list ? std::min(*count, nodes.size()) : nodes.size();
  return cudaSuccess;
}

void clear_edge_data(cudaGraphEdgeData* data, const size_t* count) {
  if (data && count) std::fill(data, data + *count, cudaGraphEdgeData{});
}

// Calls `use(from, to)` for each pair of nodes, after it has checked all of them.
template <class Use>
cudaError_t for_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                      const cudaGraphEdgeData* data, size_t count, Use&& use) {
  return with_graph(handle, [&](graph& g) {
    if (count > 0 && (!from || !to)) return cudaErrorInvalidValue;
    if (!is_plain(data, count)) return cudaErrorNotSupported;
    for (size_t i = 0; i < count; ++i) {
      const graph_node* const first = find_node(from[i]);
      const graph_node* const second = find_node(to[i]);
      if (!first || !second || first->owner != &g || second->owner != &g) return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; ++i) {
      if (!use(*find_node(from[i]), *find_node(to[i]))) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* made, unsigned int flags) {
  return graph_call([&] {
    if (!made || flags != 0) return cudaErrorInvalidValue;
    *made = handle_of(new graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return with_graph(handle, [](graph& g) {
    if (g.holder) return cudaErrorInvalidValue;
    delete &g;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t original) {
  return with_graph(original, [&](graph& g) {
    if (!made) return cudaErrorInvalidValue;
    if (!may_be_copied(g)) return cudaErrorNotSupported;
    *made = handle_of(g.clone().release());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original, cudaGraph_t clone) {
  return with_graph(clone, [&](graph& g) {
    const graph_node* const node = find_node(original);
    if (!found || !node) return cudaErrorInvalidValue;
    *found = handle_of(g.find_clone(node->id));
    return *found ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return with_node(handle, [](graph_node& node) {
    if (has_memory_nodes(*node.owner)) return cudaErrorNotSupported;
    remove_node(node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return with_node(handle, [&](graph_node& node) {
    if (!type) return cudaErrorInvalidValue;
    *type = node.type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* list, size_t* count) {
  return with_graph(handle, [&](graph& g) {
    std::vector<graph_node*> all;
    all.reserve(g.nodes.size());
    for (const auto& node : g.nodes) all.push_back(node.get());
    return write_nodes(all, list, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* list, size_t* count) {
  return with_graph(handle, [&](graph& g) {
    std::vector<graph_node*> roots;
    for (const auto& node : g.nodes) {
      if (node->dependencies.empty()) roots.push_back(node.get());
    }
    return write_nodes(roots, list, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                              size_t* count) {
  return with_graph(handle, [&](graph& g) {
    if (!from != !to) return cudaErrorInvalidValue;
    std::vector<graph_node*> firsts;
    std::vector<graph_node*> seconds;
    for (const auto& node : g.nodes) {
      for (graph_node* next : node->dependents) {
        firsts.push_back(node.get());
        seconds.push_back(next);
      }
    }
    if (!count) return cudaErrorInvalidValue;
    clear_edge_data(data, count);
    size_t first_count = *count;
    (void)write_nodes(firsts, from, &first_count);
    return write_nodes(seconds, to, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* list, cudaGraphEdgeData* data,
                                         size_t* count) {
  return with_node(handle, [&](graph_node& node) {
    clear_edge_data(data, count);
    return write_nodes(node.dependencies, list, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* list, cudaGraphEdgeData* data,
                                           size_t* count) {
  return with_node(handle, [&](graph_node& node) {
    clear_edge_data(data, count);
    return write_nodes(node.dependents, list, count);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* data, size_t count) {
  return for_edges(handle, from, to, data, count, add_edge);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* data, size_t count) {
  const cudaError_t permitted =
      with_graph(handle, [](graph& g) { return has_memory_nodes(g) ? cudaErrorNotSupported : cudaSuccess; });
  return permitted != cudaSuccess ? permitted : for_edges(handle, from, to, data, count, remove_edge);
}

}  // extern "C"
