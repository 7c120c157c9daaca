// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of graphs with the signatures of CUDA 12 and earlier, and with device variables by name. Included by
// cuda_runtime.h only.
#pragma once

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph, cudaGraphNode_t* pErrorNode,
                                        char* pLogBuffer, size_t bufferSize) {
  if (pErrorNode) *pErrorNode = nullptr;
  if (pLogBuffer && bufferSize > 0) *pLogBuffer = '\0';
  return ::cudaGraphInstantiate(pGraphExec, graph, 0ull);
}

inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                    const cudaGraphNode_t* pDependencies, size_t numDependencies,
                                    cudaGraphNodeParams* nodeParams) {
  return ::cudaGraphAddNode(pGraphNode, graph, pDependencies, nullptr, numDependencies, nodeParams);
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            size_t numDependencies) {
  return ::cudaGraphAddDependencies(graph, from, to, nullptr, numDependencies);
}

inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t numDependencies) {
  return ::cudaGraphRemoveDependencies(graph, from, to, nullptr, numDependencies);
}

inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* numEdges) {
  return ::cudaGraphGetEdges(graph, from, to, nullptr, numEdges);
}

inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* pDependencies,
                                                size_t* pNumDependencies) {
  return ::cudaGraphNodeGetDependencies(node, pDependencies, nullptr, pNumDependencies);
}

inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* pDependentNodes,
                                                  size_t* pNumDependentNodes) {
  return ::cudaGraphNodeGetDependentNodes(node, pDependentNodes, nullptr, pNumDependentNodes);
}

inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphNode_t* hErrorNode_out,
                                       cudaGraphExecUpdateResult* updateResult_out) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = ::cudaGraphExecUpdate(hGraphExec, hGraph, &info);
  if (hErrorNode_out) *hErrorNode_out = info.errorNode;
  if (updateResult_out) *updateResult_out = info.result;
  return error;
}

template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                  const cudaGraphNode_t* pDependencies, size_t numDependencies,
                                                  const T& symbol, const void* src, size_t count, size_t offset,
                                                  cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies,
                                          static_cast<const void*>(&symbol), src, count, offset, kind);
}

template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol, const void* src,
                                                        size_t count, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, static_cast<const void*>(&symbol), src, count, offset, kind);
}

template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const T& symbol,
                                                          size_t count, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, static_cast<const void*>(&symbol), count, offset, kind);
}

template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                            const T& symbol, const void* src, size_t count,
                                                            size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec, node, static_cast<const void*>(&symbol), src, count,
                                                    offset, kind);
}

template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                              void* dst, const T& symbol, size_t count, size_t offset,
                                                              cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(hGraphExec, node, dst, static_cast<const void*>(&symbol), count,
                                                      offset, kind);
}

template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                    const cudaGraphNode_t* pDependencies, size_t numDependencies,
                                                    void* dst, const T& symbol, size_t count, size_t offset,
                                                    cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst,
                                            static_cast<const void*>(&symbol), count, offset, kind);
}
