// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs that wait for words of memory and write words.
#include "runtime/driver/call.hpp"
#include "runtime/driver/stream_words.hpp"
#include "runtime/graph/launch/executable.hpp"
#include "runtime/graph/node/node_place.hpp"

namespace cohort::runtime {

namespace {

constexpr auto batch_node = static_cast<cudaGraphNodeType>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);

// Calls `body(node_work)` with the operation of the parameters, on the device of their context.
template <class Body>
CUresult with_batch(const CUDA_BATCH_MEM_OP_NODE_PARAMS* p, Body&& body) {
  return in_context(p ? p->ctx : nullptr, [&] {
    return device_call([&] {
      if (!p) return cudaErrorInvalidValue;
      std::shared_ptr<word_operation> words;
      cudaError_t error = make_words(p->paramArray, p->count, p->flags, &words);
      if (error == cudaSuccess) error = words->check_words();
      return error != cudaSuccess ? error : body(node_work(words));
    });
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuGraphAddBatchMemOpNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* before, size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return with_batch(parameters, [&](const node_work& work) {
    return add_node({made, graph, before, count}, batch_node, work, [](graph_node&) { return cudaSuccess; });
  });
}

// The node owns the array that the returned parameters point to.
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode handle, CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return runtime_call([&] {
    return with_node(handle, [&](graph_node& node) {
      if (!parameters || node.type != batch_node) return cudaErrorInvalidValue;
      const auto& list = static_cast<const word_operation&>(*node.work).parameters();
      *parameters = {handle_of(&primary_context(node.device->index)), static_cast<unsigned>(list.size()),
                     const_cast<CUstreamBatchMemOpParams*>(list.data()), 0};
      return cudaSuccess;
    });
  });
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode handle, const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return with_batch(parameters, [&](const node_work& work) {
    return with_node(handle, [&](graph_node& node) {
      if (node.type != batch_node) return cudaErrorInvalidValue;
      node.work = work;
      return cudaSuccess;
    });
  });
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec graph, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return with_batch(parameters, [&](const node_work& work) { return set_work(graph, node, batch_node, work); });
}

}  // extern "C"
