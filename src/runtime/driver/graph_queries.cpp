// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of graphs and nodes, and the parameters of a node of any type.
#include <bit>

#include "runtime/driver/call.hpp"
#include "runtime/driver/node_parameters.hpp"

namespace cohort::runtime {

namespace {

// Reads by the runtime's call, and copies the part that both forms have in common.
CUresult read_by_runtime(CUgraphNode node, CUgraphNodeParams* made) {
  return runtime_call([&] {
    cudaGraphNodeParams p{};
    if (const cudaError_t error = cudaGraphNodeGetParams(node, &p); error != cudaSuccess) return error;
    switch (p.type) {
      case cudaGraphNodeTypeGraph:
        made->graph = {p.graph.graph, static_cast<CUgraphChildGraphNodeOwnership>(p.graph.ownership)};
        break;
      case cudaGraphNodeTypeConditional:
        made->conditional = {p.conditional.handle, static_cast<CUgraphConditionalNodeType>(p.conditional.type),
                             p.conditional.size, p.conditional.phGraph_out, nullptr};
        break;
      case cudaGraphNodeTypeHost:
        made->host.fn = p.host.fn;
        made->host.userData = p.host.userData;
        break;
      case cudaGraphNodeTypeMemset:
        made->memset = {address_of(p.memset.dst), p.memset.pitch,  p.memset.value, p.memset.elementSize,
                        p.memset.width,           p.memset.height, nullptr};
        break;
      case cudaGraphNodeTypeWaitEvent:
        made->eventWait.event = p.eventWait.event;
        break;
      case cudaGraphNodeTypeEventRecord:
        made->eventRecord.event = p.eventRecord.event;
        break;
      case cudaGraphNodeTypeMemAlloc:
        made->alloc = std::bit_cast<CUDA_MEM_ALLOC_NODE_PARAMS_v2>(p.alloc);
        break;
      case cudaGraphNodeTypeMemFree:
        made->free.dptr = address_of(p.free.dptr);
        break;
      default:  // an empty node
        break;
    }
    return cudaSuccess;
  });
}

CUresult read(CUgraphNode node, CUgraphNodeParams* made) {
  switch (made->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      CUDA_KERNEL_NODE_PARAMS p{};
      const CUresult error = cuGraphKernelNodeGetParams_v2(node, &p);
      made->kernel = std::bit_cast<CUDA_KERNEL_NODE_PARAMS_v3>(p);
      return error;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphMemcpyNodeGetParams(node, &made->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: {
      CUDA_BATCH_MEM_OP_NODE_PARAMS p{};
      const CUresult error = cuGraphBatchMemOpNodeGetParams(node, &p);
      made->memOp = std::bit_cast<CUDA_BATCH_MEM_OP_NODE_PARAMS_v2>(p);
      return error;
    }
    default:
      return read_by_runtime(node, made);
  }
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuGraphNodeGetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  if (!parameters) return context_call([] { return CUDA_ERROR_INVALID_VALUE; });
  CUgraphNodeParams made{};
  CUresult error = cuGraphNodeGetType(node, &made.type);
  if (error == CUDA_SUCCESS) error = read(node, &made);
  void* const context = stored_context(node);
  if (error == CUDA_SUCCESS && context) *context_member(made) = static_cast<CUcontext>(context);
  if (error == CUDA_SUCCESS) *parameters = made;
  return error;
}

CUresult cuGraphGetId(CUgraph graph, unsigned int* id) {
  return runtime_call([&] { return cudaGraphGetId(graph, id); });
}

CUresult cuGraphExecGetId(CUgraphExec graph, unsigned int* id) {
  return runtime_call([&] { return cudaGraphExecGetId(graph, id); });
}

CUresult cuGraphNodeGetContainingGraph(CUgraphNode node, CUgraph* graph) {
  return runtime_call([&] { return cudaGraphNodeGetContainingGraph(node, graph); });
}

CUresult cuGraphNodeGetLocalId(CUgraphNode node, unsigned int* id) {
  return runtime_call([&] { return cudaGraphNodeGetLocalId(node, id); });
}

CUresult cuGraphNodeGetToolsId(CUgraphNode node, unsigned long long* id) {
  return runtime_call([&] { return cudaGraphNodeGetToolsId(node, id); });
}

}  // extern "C"
