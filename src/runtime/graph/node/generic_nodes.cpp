// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that add and change nodes of any type, with the calls for the type.
#include "runtime/graph/node/generic_nodes.hpp"

#include <algorithm>
#include <utility>

#include "runtime/graph/node/conditional_nodes.hpp"
#include "runtime/graph/node/node_place.hpp"

namespace cohort::runtime {

namespace {

cudaKernelNodeParams plain(const cudaKernelNodeParamsV2& p) {
  return {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
}

cudaMemsetParams plain(const cudaMemsetParamsV2& p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

cudaHostNodeParams plain(const cudaHostNodeParamsV2& p) { return {p.fn, p.userData}; }

bool is_zero(const int (&reserved)[3]) {
  return std::all_of(std::begin(reserved), std::end(reserved), [](int each) { return each == 0; });
}

// The context stands in the other reserved numbers.
bool is_plain(const cudaMemcpyNodeParams& p) { return p.flags == 0 && p.reserved[0] == 0; }

bool is_plain(const cudaGraphNodeParams* p) { return p && is_zero(p->reserved0) && p->reserved2 == 0; }

bool is_inside(const graph& inner, const graph& outer) {
  for (const graph* at = &inner; at; at = at->outer()) {
    if (at == &outer) return true;
  }
  return false;
}

// Adds a node that owns the program's graph itself.
cudaError_t add_moved_graph(const node_place& at, cudaGraph_t handle) {
  return add_node_by(at, [&](graph& g, const std::vector<graph_node*>&, graph_node** made) {
    graph* const moved = find_graph(handle);
    if (!moved || moved->holder || is_inside(g, *moved)) return cudaErrorInvalidValue;
    const bool has_conditional = moved->has_node([](const graph_node& node) { return node.conditional != nullptr; });
    if (has_conditional) return cudaErrorNotSupported;
    if (const cudaError_t error = permits_node(g, cudaGraphNodeTypeGraph, moved); error != cudaSuccess) return error;
    graph_node& node = g.add(cudaGraphNodeTypeGraph, &current_device(), nullptr);
    node.child.reset(moved);
    node.owns_original = true;
    moved->holder = &node;
    *made = &node;
    return cudaSuccess;
  });
}

cudaError_t add_child(const node_place& at, const cudaChildGraphNodeParams& p) {
  switch (p.ownership) {
    case cudaGraphChildGraphOwnershipClone:
      return cudaGraphAddChildGraphNode(at.made, at.graph, at.dependencies, at.count, p.graph);
    case cudaGraphChildGraphOwnershipMove:
      return add_moved_graph(at, p.graph);
  }
  return remember(cudaErrorInvalidValue);
}

cudaError_t add_allocation(const node_place& at, cudaMemAllocNodeParamsV2* p) {
  cudaMemAllocNodeParams parameters{p->poolProps, p->accessDescs, p->accessDescCount, p->bytesize, p->dptr};
  const cudaError_t error = cudaGraphAddMemAllocNode(at.made, at.graph, at.dependencies, at.count, &parameters);
  p->dptr = parameters.dptr;
  return error;
}

cudaError_t add(const node_place& at, cudaGraphNodeParams* p) {
  switch (p->type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParams kernel = plain(p->kernel);
      return cudaGraphAddKernelNode(at.made, at.graph, at.dependencies, at.count, &kernel);
    }
    case cudaGraphNodeTypeMemcpy:
      if (!is_plain(p->memcpy)) break;
      return cudaGraphAddMemcpyNode(at.made, at.graph, at.dependencies, at.count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams fill = plain(p->memset);
      return cudaGraphAddMemsetNode(at.made, at.graph, at.dependencies, at.count, &fill);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host = plain(p->host);
      return cudaGraphAddHostNode(at.made, at.graph, at.dependencies, at.count, &host);
    }
    case cudaGraphNodeTypeGraph:
      return add_child(at, p->graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(at.made, at.graph, at.dependencies, at.count);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(at.made, at.graph, at.dependencies, at.count, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(at.made, at.graph, at.dependencies, at.count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return add_allocation(at, &p->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(at.made, at.graph, at.dependencies, at.count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
      return add_conditional_node(at, &p->conditional);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      return remember(cudaErrorNotSupported);
    default:
      break;
  }
  return remember(cudaErrorInvalidValue);
}

// Calls `change` with the parameters of the node's type.
template <class Change>
cudaError_t set(cudaGraphNode_t handle, const cudaGraphNodeParams* p, const Change& change) {
  cudaGraphNodeType type = cudaGraphNodeTypeCount;
  if (const cudaError_t error = cudaGraphNodeGetType(handle, &type); error != cudaSuccess) return error;
  if (!is_plain(p) || p->type != type) return remember(cudaErrorInvalidValue);
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return change(plain(p->kernel));
    case cudaGraphNodeTypeMemcpy:
      return is_plain(p->memcpy) ? change(p->memcpy.copyParams) : remember(cudaErrorInvalidValue);
    case cudaGraphNodeTypeMemset:
      return change(plain(p->memset));
    case cudaGraphNodeTypeHost:
      return change(plain(p->host));
    case cudaGraphNodeTypeEventRecord:
      return change(p->eventRecord);
    case cudaGraphNodeTypeWaitEvent:
      return change(p->eventWait);
    case cudaGraphNodeTypeGraph:
      return change(p->graph);
    case cudaGraphNodeTypeEmpty:
      return cudaSuccess;
    default:
      return remember(cudaErrorNotSupported);
  }
}

// Replaces the copy of a child graph.
cudaError_t set_child(cudaGraphNode_t handle, const cudaChildGraphNodeParams& p) {
  return with_node(handle, [&](graph_node& node) {
    const graph* const original = find_graph(p.graph);
    if (!original || is_inside(*node.owner, *original)) return cudaErrorInvalidValue;
    const bool is_moved = p.ownership != cudaGraphChildGraphOwnershipClone || node.owns_original;
    return is_moved ? cudaErrorNotSupported : copy_child(node, *original);
  });
}

struct in_graph {
  cudaGraphNode_t node;
  cudaError_t operator()(const cudaKernelNodeParams& p) const { return cudaGraphKernelNodeSetParams(node, &p); }
  cudaError_t operator()(const cudaMemcpy3DParms& p) const { return cudaGraphMemcpyNodeSetParams(node, &p); }
  cudaError_t operator()(const cudaMemsetParams& p) const { return cudaGraphMemsetNodeSetParams(node, &p); }
  cudaError_t operator()(const cudaHostNodeParams& p) const { return cudaGraphHostNodeSetParams(node, &p); }
  cudaError_t operator()(const cudaEventRecordNodeParams& p) const {
    return cudaGraphEventRecordNodeSetEvent(node, p.event);
  }
  cudaError_t operator()(const cudaEventWaitNodeParams& p) const {
    return cudaGraphEventWaitNodeSetEvent(node, p.event);
  }
  cudaError_t operator()(const cudaChildGraphNodeParams& p) const { return set_child(node, p); }
};

struct in_executable {
  cudaGraphExec_t graph;
  cudaGraphNode_t node;
  cudaError_t operator()(const cudaKernelNodeParams& p) const {
    return cudaGraphExecKernelNodeSetParams(graph, node, &p);
  }
  cudaError_t operator()(const cudaMemcpy3DParms& p) const { return cudaGraphExecMemcpyNodeSetParams(graph, node, &p); }
  cudaError_t operator()(const cudaMemsetParams& p) const { return cudaGraphExecMemsetNodeSetParams(graph, node, &p); }
  cudaError_t operator()(const cudaHostNodeParams& p) const { return cudaGraphExecHostNodeSetParams(graph, node, &p); }
  cudaError_t operator()(const cudaEventRecordNodeParams& p) const {
    return cudaGraphExecEventRecordNodeSetEvent(graph, node, p.event);
  }
  cudaError_t operator()(const cudaEventWaitNodeParams& p) const {
    return cudaGraphExecEventWaitNodeSetEvent(graph, node, p.event);
  }
  cudaError_t operator()(const cudaChildGraphNodeParams& p) const {
    return cudaGraphExecChildGraphNodeSetParams(graph, node, p.graph);
  }
};

}  // namespace

cudaError_t add_any_node(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                         const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters) {
  if (!is_plain(parameters)) return remember(cudaErrorInvalidValue);
  if (!is_plain(data, count)) return remember(cudaErrorNotSupported);
  return add({made, graph, before, count}, parameters);
}

cudaError_t set_any_node(cudaGraphNode_t node, const cudaGraphNodeParams* parameters) {
  return set(node, parameters, in_graph{node});
}

cudaError_t set_any_node(cudaGraphExec_t graph, cudaGraphNode_t node, const cudaGraphNodeParams* parameters) {
  return set(node, parameters, in_executable{graph, node});
}

}  // namespace cohort::runtime
