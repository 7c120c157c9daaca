// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common begin and end of the calls of graphs.
#pragma once

#include "runtime/graph/model/graph.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

// Runs `body` under the scheduler's lock.
template <class Body>
cudaError_t graph_call(Body&& body) noexcept {
  return device_call([&] {
    auto held = scheduler::instance().lock();
    return body();
  });
}

// Calls `body(graph&)` under the scheduler's lock. cudaErrorInvalidValue for an unknown handle.
template <class Body>
cudaError_t with_graph(cudaGraph_t handle, Body&& body) noexcept {
  return graph_call([&] {
    graph* const found = find_graph(handle);
    return found ? body(*found) : cudaErrorInvalidValue;
  });
}

// Calls `body(graph_node&)` under the scheduler's lock. cudaErrorInvalidValue for an unknown handle.
template <class Body>
cudaError_t with_node(cudaGraphNode_t handle, Body&& body) noexcept {
  return graph_call([&] {
    graph_node* const found = find_node(handle);
    return found ? body(*found) : cudaErrorInvalidValue;
  });
}

// Reads the nodes of a list of dependencies, all of `owner`. cudaErrorInvalidValue for another node or a repeated one.
cudaError_t read_dependencies(const graph& owner, const cudaGraphNode_t* list, size_t count,
                              std::vector<graph_node*>* nodes);

}  // namespace cohort::runtime
