// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's calls of executable graphs. Each calls its counterpart in the runtime API.
#include "runtime/driver/call.hpp"

using namespace cohort::runtime;

extern "C" {

CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long flags) {
  return runtime_call([&] { return cudaGraphInstantiateWithFlags(made, graph, flags); });
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* made, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return runtime_call([&] {
    if (!parameters) return cudaErrorInvalidValue;
    cudaGraphInstantiateParams p{parameters->flags, parameters->hUploadStream, nullptr, cudaGraphInstantiateSuccess};
    const cudaError_t error = cudaGraphInstantiateWithParams(made, graph, &p);
    parameters->hErrNode_out = p.errNode_out;
    parameters->result_out = static_cast<CUgraphInstantiateResult>(p.result_out);
    return error;
  });
}

CUresult cuGraphExecGetFlags(CUgraphExec graph, cuuint64_t* flags) {
  return runtime_call([&] {
    return converted<unsigned long long>(flags, [&](unsigned long long* f) { return cudaGraphExecGetFlags(graph, f); });
  });
}

CUresult cuGraphExecDestroy(CUgraphExec graph) {
  return runtime_call([&] { return cudaGraphExecDestroy(graph); });
}

CUresult cuGraphUpload(CUgraphExec graph, CUstream stream) {
  return runtime_call([&] { return cudaGraphUpload(graph, stream); });
}

CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  return runtime_call([&] { return cudaGraphLaunch(graph, stream); });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec graph, CUgraph from, CUgraphExecUpdateResultInfo* info) {
  return runtime_call([&] {
    cudaGraphExecUpdateResultInfo result{};
    const cudaError_t error = cudaGraphExecUpdate(graph, from, info ? &result : nullptr);
    if (info) *info = {static_cast<CUgraphExecUpdateResult>(result.result), result.errorNode, result.errorFromNode};
    return error;
  });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec graph, CUgraphNode node, unsigned int enabled) {
  return runtime_call([&] { return cudaGraphNodeSetEnabled(graph, node, enabled); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec graph, CUgraphNode node, unsigned int* enabled) {
  return runtime_call([&] { return cudaGraphNodeGetEnabled(graph, node, enabled); });
}

}  // extern "C"
