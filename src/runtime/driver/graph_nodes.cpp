// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs and of executable graphs, by the runtime API's calls.
#include <bit>

#include "runtime/driver/box_copy.hpp"
#include "runtime/driver/call.hpp"
#include "runtime/driver/node_parameters.hpp"
#include "runtime/graph/node/node_rules.hpp"

namespace cohort::runtime {

namespace {

// Structures of both APIs with equal layouts.
cudaMemsetParams same_parameters(const CUDA_MEMSET_NODE_PARAMS& p) { return std::bit_cast<cudaMemsetParams>(p); }
cudaHostNodeParams same_parameters(const CUDA_HOST_NODE_PARAMS& p) { return std::bit_cast<cudaHostNodeParams>(p); }

// Calls `body(const cudaKernelNodeParams*)` on the device of the parameters' context.
template <class Body>
CUresult with_kernel(const CUDA_KERNEL_NODE_PARAMS* source, Body&& body) {
  return context_call([&] {
    kernel_node node;
    const CUresult error = source ? node.take(*source) : CUDA_ERROR_INVALID_VALUE;
    return error != CUDA_SUCCESS ? error : in_context(source->ctx, [&] { return body(&node.made); });
  });
}

// Calls `body(const cudaMemcpy3DParms*)` on the device of the context.
template <class Body>
CUresult with_copy(const CUDA_MEMCPY3D* source, CUcontext context, Body&& body) {
  return context_call([&] {
    cudaMemcpy3DParms parameters;
    const CUresult error = source ? to_runtime(*source, &parameters) : CUDA_ERROR_INVALID_VALUE;
    return error != CUDA_SUCCESS ? error : in_context(context, [&] { return body(&parameters); });
  });
}

// Calls `body` with the runtime's form of the parameters, on the device of the context.
template <class Parameters, class Body>
CUresult with_parameters(const Parameters* source, CUcontext context, Body&& body) {
  return in_context(context, [&] {
    if (!source) return cudaErrorInvalidValue;
    const auto parameters = same_parameters(*source);
    return body(&parameters);
  });
}

// Calls `body(cudaGraphNodeParams*)` on the device of the parameters' context.
template <class Body>
CUresult with_any(CUgraphNodeParams* source, Body&& body) {
  return context_call([&] {
    if (!source) return CUDA_ERROR_INVALID_VALUE;
    any_node node(*source);
    CUresult error = node.take();
    if (error == CUDA_SUCCESS) error = in_context(node.context(), [&] { return body(&node.made); });
    if (error == CUDA_SUCCESS) node.give_back();
    return error;
  });
}

// Nodes whose type the runtime API lacks have a call of their own.
bool is_batch(const CUgraphNodeParams* p) { return p && p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP; }

// Calls `body(const CUDA_BATCH_MEM_OP_NODE_PARAMS*)`.
template <class Body>
CUresult with_batch(const CUgraphNodeParams& source, Body&& body) {
  if (!has_zeros(source)) return context_call([] { return CUDA_ERROR_INVALID_VALUE; });
  const auto parameters = std::bit_cast<CUDA_BATCH_MEM_OP_NODE_PARAMS>(source.memOp);
  return body(&parameters);
}

// Writes what `read(Read*)` has read, in the driver's form.
template <class Read, class Made, class Body>
CUresult read_parameters(Made* made, Body&& read) {
  return runtime_call([&] {
    Read parameters{};
    const cudaError_t error = made ? read(&parameters) : cudaErrorInvalidValue;
    if (error == cudaSuccess) *made = std::bit_cast<Made>(parameters);
    return error;
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuGraphAddKernelNode_v2(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return with_kernel(
      parameters, [&](const cudaKernelNodeParams* p) { return cudaGraphAddKernelNode(made, graph, before, count, p); });
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  return runtime_call([&] {
    cudaKernelNodeParams p{};
    CUfunction function = nullptr;
    cudaError_t error = parameters ? cudaGraphKernelNodeGetParams(node, &p) : cudaErrorInvalidValue;
    if (error == cudaSuccess) error = cudaGetFuncBySymbol(&function, p.func);
    if (error != cudaSuccess) return error;
    *parameters = {function,     p.gridDim.x,      p.gridDim.y,    p.gridDim.z, p.blockDim.x, p.blockDim.y,
                   p.blockDim.z, p.sharedMemBytes, p.kernelParams, nullptr,     nullptr,      nullptr};
    return cudaSuccess;
  });
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return with_kernel(parameters, [&](const cudaKernelNodeParams* p) { return cudaGraphKernelNodeSetParams(node, p); });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id, const CUkernelNodeAttrValue* value) {
  return runtime_call([&] {
    return cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(id),
                                           reinterpret_cast<const cudaLaunchAttributeValue*>(value));
  });
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID id, CUkernelNodeAttrValue* value) {
  return runtime_call([&] {
    return cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(id),
                                           reinterpret_cast<cudaLaunchAttributeValue*>(value));
  });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return runtime_call([&] { return cudaGraphKernelNodeCopyAttributes(to, from); });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec graph, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return with_kernel(parameters,
                     [&](const cudaKernelNodeParams* p) { return cudaGraphExecKernelNodeSetParams(graph, node, p); });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                              const CUDA_MEMCPY3D* parameters, CUcontext context) {
  return with_copy(parameters, context,
                   [&](const cudaMemcpy3DParms* p) { return cudaGraphAddMemcpyNode(made, graph, before, count, p); });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* parameters) {
  return runtime_call([&] {
    cudaMemcpy3DParms p{};
    const cudaError_t error = parameters ? cudaGraphMemcpyNodeGetParams(node, &p) : cudaErrorInvalidValue;
    if (error == cudaSuccess) *parameters = to_driver(p);
    return error;
  });
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* parameters) {
  return with_copy(parameters, nullptr,
                   [&](const cudaMemcpy3DParms* p) { return cudaGraphMemcpyNodeSetParams(node, p); });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec graph, CUgraphNode node, const CUDA_MEMCPY3D* parameters,
                                        CUcontext context) {
  return with_copy(parameters, context,
                   [&](const cudaMemcpy3DParms* p) { return cudaGraphExecMemcpyNodeSetParams(graph, node, p); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext context) {
  return with_parameters(parameters, context, [&](const cudaMemsetParams* p) {
    return cudaGraphAddMemsetNode(made, graph, before, count, p);
  });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
  return read_parameters<cudaMemsetParams>(parameters,
                                           [&](cudaMemsetParams* p) { return cudaGraphMemsetNodeGetParams(node, p); });
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return with_parameters(parameters, nullptr,
                         [&](const cudaMemsetParams* p) { return cudaGraphMemsetNodeSetParams(node, p); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec graph, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters,
                                        CUcontext context) {
  return with_parameters(parameters, context,
                         [&](const cudaMemsetParams* p) { return cudaGraphExecMemsetNodeSetParams(graph, node, p); });
}

CUresult cuGraphAddHostNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                            const CUDA_HOST_NODE_PARAMS* parameters) {
  return with_parameters(parameters, nullptr, [&](const cudaHostNodeParams* p) {
    return cudaGraphAddHostNode(made, graph, before, count, p);
  });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) {
  return read_parameters<cudaHostNodeParams>(
      parameters, [&](cudaHostNodeParams* p) { return cudaGraphHostNodeGetParams(node, p); });
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return with_parameters(parameters, nullptr,
                         [&](const cudaHostNodeParams* p) { return cudaGraphHostNodeSetParams(node, p); });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec graph, CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return with_parameters(parameters, nullptr,
                         [&](const cudaHostNodeParams* p) { return cudaGraphExecHostNodeSetParams(graph, node, p); });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                                  CUgraph child) {
  return runtime_call([&] { return cudaGraphAddChildGraphNode(made, graph, before, count, child); });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* child) {
  return runtime_call([&] { return cudaGraphChildGraphNodeGetGraph(node, child); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec graph, CUgraphNode node, CUgraph child) {
  return runtime_call([&] { return cudaGraphExecChildGraphNodeSetParams(graph, node, child); });
}

CUresult cuGraphAddEmptyNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count) {
  return runtime_call([&] { return cudaGraphAddEmptyNode(made, graph, before, count); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                                   CUevent event) {
  return runtime_call([&] { return cudaGraphAddEventRecordNode(made, graph, before, count, event); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return runtime_call([&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return runtime_call([&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec graph, CUgraphNode node, CUevent event) {
  return runtime_call([&] { return cudaGraphExecEventRecordNodeSetEvent(graph, node, event); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                                 CUevent event) {
  return runtime_call([&] { return cudaGraphAddEventWaitNode(made, graph, before, count, event); });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return runtime_call([&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return runtime_call([&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec graph, CUgraphNode node, CUevent event) {
  return runtime_call([&] { return cudaGraphExecEventWaitNodeSetEvent(graph, node, event); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return runtime_call([&] {
    if (!parameters) return cudaErrorInvalidValue;
    auto p = std::bit_cast<cudaMemAllocNodeParams>(*parameters);
    const cudaError_t error = cudaGraphAddMemAllocNode(made, graph, before, count, &p);
    if (error == cudaSuccess) parameters->dptr = address_of(p.dptr);
    return error;
  });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return read_parameters<cudaMemAllocNodeParams>(
      parameters, [&](cudaMemAllocNodeParams* p) { return cudaGraphMemAllocNodeGetParams(node, p); });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                               CUdeviceptr memory) {
  return runtime_call([&] { return cudaGraphAddMemFreeNode(made, graph, before, count, pointer_of(memory)); });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* memory) {
  return read_parameters<void*>(memory, [&](void** p) { return cudaGraphMemFreeNodeGetParams(node, p); });
}

CUresult cuGraphAddNode_v2(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, const CUgraphEdgeData* data,
                           size_t count, CUgraphNodeParams* parameters) {
  if (is_batch(parameters)) {
    const bool has_plain_edges = is_plain(reinterpret_cast<const cudaGraphEdgeData*>(data), count);
    if (!has_plain_edges) return context_call([] { return CUDA_ERROR_INVALID_VALUE; });
    return with_batch(*parameters, [&](auto* p) { return cuGraphAddBatchMemOpNode(made, graph, before, count, p); });
  }
  return with_any(parameters, [&](cudaGraphNodeParams* p) {
    return cudaGraphAddNode(made, graph, before, reinterpret_cast<const cudaGraphEdgeData*>(data), count, p);
  });
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  if (is_batch(parameters)) {
    return with_batch(*parameters, [&](auto* p) { return cuGraphBatchMemOpNodeSetParams(node, p); });
  }
  return with_any(parameters, [&](cudaGraphNodeParams* p) { return cudaGraphNodeSetParams(node, p); });
}

CUresult cuGraphExecNodeSetParams(CUgraphExec graph, CUgraphNode node, CUgraphNodeParams* parameters) {
  if (is_batch(parameters)) {
    return with_batch(*parameters, [&](auto* p) { return cuGraphExecBatchMemOpNodeSetParams(graph, node, p); });
  }
  return with_any(parameters, [&](cudaGraphNodeParams* p) { return cudaGraphExecNodeSetParams(graph, node, p); });
}

}  // extern "C"
