// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that add memory nodes and read their parameters.
#include "runtime/graph/node/memory_nodes.hpp"
#include "runtime/graph/node/node_place.hpp"

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                     size_t count, cudaMemAllocNodeParams* parameters) {
  return add_node_by({made, graph, before, count},
                     [&](struct graph& g, const std::vector<graph_node*>& nodes, graph_node** node) {
                       return add_allocation_node(g, nodes, parameters, node);
                     });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle, cudaMemAllocNodeParams* parameters) {
  return with_node(handle, [&](graph_node& node) {
    if (!parameters || node.type != cudaGraphNodeTypeMemAlloc) return cudaErrorInvalidValue;
    *parameters = static_cast<const allocation_work&>(*node.work).parameters();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                    size_t count, void* memory) {
  return add_node_by({made, graph, before, count}, [&](struct graph& g, const std::vector<graph_node*>&,
                                                       graph_node** node) { return add_free_node(g, memory, node); });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void* memory) {
  return with_node(handle, [&](graph_node& node) {
    if (!memory || node.type != cudaGraphNodeTypeMemFree) return cudaErrorInvalidValue;
    *static_cast<void**>(memory) = static_cast<const graph_free_operation&>(*node.work).memory()->range.base;
    return cudaSuccess;
  });
}

}  // extern "C"
