// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of any type of the runtime API, in the execution context that their parameters name: a kernel runs on the
// context's multiprocessors, and all work on its device.
#include <cstring>

#include "runtime/driver/call.hpp"
#include "runtime/driver/node_parameters.hpp"
#include "runtime/graph/model/graph_call.hpp"
#include "runtime/graph/node/generic_nodes.hpp"

namespace cohort::runtime {

namespace {

// The context of the parameters; null for none, which means the current one.
void* context_of(cudaGraphNodeParams* parameters) {
  void* context = nullptr;
  const void* const member = parameters ? context_member(*parameters) : nullptr;
  if (member) std::memcpy(&context, member, sizeof context);
  return context;
}

// Calls `body` in the context of the parameters.
template <class Body>
cudaError_t in_context_of(cudaGraphNodeParams* parameters, Body&& body) {
  void* const handle = context_of(parameters);
  if (!handle) return body();
  return device_call([&]() -> cudaError_t {
    context* c = nullptr;
    const CUresult error = find_context(static_cast<CUcontext>(handle), &c);
    if (error == CUDA_ERROR_INVALID_CONTEXT) return cudaErrorInvalidValue;
    if (error != CUDA_SUCCESS) return static_cast<cudaError_t>(error);
    const device_scope on(*c);
    return body();
  });
}

void store_context(cudaGraphNode_t handle, void* context) {
  with_node(handle, [&](graph_node& node) {
    node.context = context;
    return cudaSuccess;
  });
}

}  // namespace

void* stored_context(cudaGraphNode_t handle) {
  void* context = nullptr;
  with_node(handle, [&](const graph_node& node) {
    context = node.context;
    return cudaSuccess;
  });
  return context;
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* before,
                             const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters) {
  return in_context_of(parameters, [&] {
    const cudaError_t error = add_any_node(made, graph, before, data, count, parameters);
    if (error == cudaSuccess) store_context(*made, context_of(parameters));
    return error;
  });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return in_context_of(parameters, [&] {
    const cudaError_t error = set_any_node(node, parameters);
    if (error == cudaSuccess) store_context(node, context_of(parameters));
    return error;
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return in_context_of(parameters, [&] { return set_any_node(graph, node, parameters); });
}

cudaError_t cudaGraphNodeGetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  const cudaError_t error = read_any_node(node, parameters);
  void* const context = error == cudaSuccess ? stored_context(node) : nullptr;
  if (context) std::memcpy(context_member(*parameters), &context, sizeof context);
  return error;
}

}  // extern "C"
