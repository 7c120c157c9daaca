// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that add nodes to graphs, and read and change their parameters.
#include "runtime/graph/node/node_place.hpp"
#include "runtime/stream/event.hpp"

namespace cohort::runtime {

namespace {

cudaError_t add_node(const node_place& at, cudaGraphNodeType type, const node_work& work) {
  return add_node(at, type, work, [](graph_node&) { return cudaSuccess; });
}

// Adds a node whose work `parameters` describe.
template <class Parameters>
cudaError_t add_made_node(const node_place& at, cudaGraphNodeType type, const Parameters* parameters) {
  return device_call([&] {
    node_work work;
    const cudaError_t error = make_work(parameters, &work);
    return error != cudaSuccess ? error : add_node(at, type, work);
  });
}

template <class Parameters>
cudaError_t get_parameters(cudaGraphNode_t handle, cudaGraphNodeType type, Parameters* parameters) {
  return with_node(handle, [&](graph_node& node) {
    if (!parameters || node.type != type) return cudaErrorInvalidValue;
    return read_work(*node.work, parameters);
  });
}

cudaError_t set_work(cudaGraphNode_t handle, cudaGraphNodeType type, const node_work& work) {
  return with_node(handle, [&](graph_node& node) {
    if (node.type != type) return cudaErrorInvalidValue;
    const cudaError_t error = replace_work(&node.work, work);
    if (error == cudaSuccess) node.context = nullptr;  // these parameters name none: the work is of the current device
    return error;
  });
}

template <class Parameters>
cudaError_t set_parameters(cudaGraphNode_t handle, cudaGraphNodeType type, const Parameters* parameters) {
  return device_call([&] {
    node_work work;
    const cudaError_t error = make_work(parameters, &work);
    return error != cudaSuccess ? error : set_work(handle, type, work);
  });
}

template <class Operation>
cudaError_t add_event_node(const node_place& at, cudaGraphNodeType type, cudaEvent_t event) {
  return add_node(at, type, std::make_shared<Operation>(event), [&](graph_node&) { return Operation::permits(event); });
}

template <class Operation>
cudaError_t get_event(cudaGraphNode_t handle, cudaGraphNodeType type, cudaEvent_t* event) {
  return with_node(handle, [&](graph_node& node) {
    if (!event || node.type != type) return cudaErrorInvalidValue;
    *event = static_cast<const Operation&>(*node.work).event();
    return cudaSuccess;
  });
}

template <class Operation>
cudaError_t set_event(cudaGraphNode_t handle, cudaGraphNodeType type, cudaEvent_t event) {
  return device_call([&] {
    {
      auto held = scheduler::instance().lock();
      if (const cudaError_t error = Operation::permits(event); error != cudaSuccess) return error;
    }
    return set_work(handle, type, std::make_shared<Operation>(event));
  });
}

cudaError_t add_straight_copy(const node_place& at, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = straight_copy(to, from, bytes, kind);
  return add_made_node(at, cudaGraphNodeTypeMemcpy, &parameters);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                   size_t count, const cudaKernelNodeParams* parameters) {
  return add_made_node({made, graph, before, count}, cudaGraphNodeTypeKernel, parameters);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                   size_t count, const cudaMemcpy3DParms* parameters) {
  return add_made_node({made, graph, before, count}, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add_straight_copy({made, graph, before, count}, to, from, bytes, kind);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                           size_t count, const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return device_call([&] {
    void* to = nullptr;
    const cudaError_t error = find_in_symbol(symbol, offset, bytes, &to);
    return error != cudaSuccess ? error : add_straight_copy({made, graph, before, count}, to, from, bytes, kind);
  });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                             size_t count, void* to, const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return device_call([&] {
    void* from = nullptr;
    const cudaError_t error = find_in_symbol(symbol, offset, bytes, &from);
    return error != cudaSuccess ? error : add_straight_copy({made, graph, before, count}, to, from, bytes, kind);
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                   size_t count, const cudaMemsetParams* parameters) {
  return add_made_node({made, graph, before, count}, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add_made_node({made, graph, before, count}, cudaGraphNodeTypeHost, parameters);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                  size_t count) {
  return add_node({made, graph, before, count}, cudaGraphNodeTypeEmpty, nullptr);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                       size_t count, cudaGraph_t child) {
  return add_node({made, graph, before, count}, cudaGraphNodeTypeGraph, nullptr, [&](graph_node& node) {
    const struct graph* const original = find_graph(child);
    if (!original || original == node.owner) return cudaErrorInvalidValue;
    return is_owned(*original) ? cudaErrorNotSupported : copy_child(node, *original);
  });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                        size_t count, cudaEvent_t event) {
  return add_event_node<event_record_operation>({made, graph, before, count}, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                                      size_t count, cudaEvent_t event) {
  return add_event_node<event_wait_operation>({made, graph, before, count}, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return get_parameters(node, cudaGraphNodeTypeKernel, parameters);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return set_parameters(node, cudaGraphNodeTypeKernel, parameters);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return get_parameters(node, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return set_parameters(node, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = straight_copy(to, from, bytes, kind);
  return set_parameters(node, cudaGraphNodeTypeMemcpy, &parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return device_call([&] {
    void* to = nullptr;
    const cudaError_t error = find_in_symbol(symbol, offset, bytes, &to);
    return error != cudaSuccess ? error : cudaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol, size_t bytes,
                                                   size_t offset, cudaMemcpyKind kind) {
  return device_call([&] {
    void* from = nullptr;
    const cudaError_t error = find_in_symbol(symbol, offset, bytes, &from);
    return error != cudaSuccess ? error : cudaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind);
  });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return get_parameters(node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set_parameters(node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return get_parameters(node, cudaGraphNodeTypeHost, parameters);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set_parameters(node, cudaGraphNodeTypeHost, parameters);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* child) {
  return with_node(handle, [&](graph_node& node) {
    if (!child || !node.child) return cudaErrorInvalidValue;
    *child = handle_of(node.child.get());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event<event_record_operation>(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_event<event_record_operation>(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event<event_wait_operation>(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_event<event_wait_operation>(node, cudaGraphNodeTypeWaitEvent, event);
}

}  // extern "C"
