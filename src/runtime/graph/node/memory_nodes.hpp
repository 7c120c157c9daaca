// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that allocate and free memory, added by calls and by captures.
#pragma once

#include <vector>

#include "runtime/graph/model/graph.hpp"
#include "runtime/memory/graph/memory_operations.hpp"

namespace cohort::runtime {

// The work of an allocation node, with the parameters that the program reads back.
class allocation_work : public graph_allocation_operation {
 public:
  allocation_work(graph_memory_ref memory, const cudaMemAllocNodeParams& parameters);
  // accessDescs points to a copy that the node owns.
  const cudaMemAllocNodeParams& parameters() const { return parameters_; }

 private:
  cudaMemAllocNodeParams parameters_;
  std::vector<cudaMemAccessDesc> rights_;
};

// Adds an allocation node after `before`, without the edges, and writes its address into the parameters. The node
// reuses the address of an equal allocation that is freed before it. pre, for both: the caller holds the scheduler's
// lock
cudaError_t add_allocation_node(graph& g, const std::vector<graph_node*>& before, cudaMemAllocNodeParams* parameters,
                                graph_node** made);
cudaError_t add_free_node(graph& g, void* memory, graph_node** made);

}  // namespace cohort::runtime
