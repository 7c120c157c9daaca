// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of graphs and nodes, as cudaGraphDebugDotPrint prints them.
#include "runtime/graph/launch/executable.hpp"
#include "runtime/graph/model/graph_call.hpp"

namespace cohort::runtime {

namespace {

template <class To>
cudaError_t write(To* result, To value) {
  if (!result) return cudaErrorInvalidValue;
  *result = value;
  return cudaSuccess;
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGraphGetId(cudaGraph_t handle, unsigned int* id) {
  return with_graph(handle, [&](const graph& g) { return write(id, static_cast<unsigned>(g.id)); });
}

cudaError_t cudaGraphExecGetId(cudaGraphExec_t handle, unsigned int* id) {
  return graph_call([&] {
    const executable* const e = find_executable(handle);
    return e ? write(id, static_cast<unsigned>(e->copy->id)) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeGetContainingGraph(cudaGraphNode_t handle, cudaGraph_t* found) {
  return with_node(handle, [&](const graph_node& node) { return write(found, handle_of(node.owner)); });
}

cudaError_t cudaGraphNodeGetLocalId(cudaGraphNode_t handle, unsigned int* id) {
  return with_node(handle, [&](const graph_node& node) { return write(id, static_cast<unsigned>(node.id)); });
}

cudaError_t cudaGraphNodeGetToolsId(cudaGraphNode_t handle, unsigned long long* id) {
  return with_node(handle, [&](const graph_node& node) { return write<unsigned long long>(id, node.id); });
}

}  // extern "C"
